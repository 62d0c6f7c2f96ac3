export const pythonQuery = `
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(module (expression_statement (assignment left: (identifier) @name right: (lambda)) @function))
(module (expression_statement (assignment left: (identifier) @name) @variable))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @variable))))
(module (expression_statement (assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @variable))
(module (expression_statement (assignment right: (assignment left: (identifier) @name) @variable)))
(module (if_statement alternative: (_ (block (expression_statement (assignment left: (identifier) @name) @variable)))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @variable))))
(module (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name) @variable)))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @variable)))
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @type
`;

export const rubyQuery = `
(class name: (_) @name) @class
(module name: (_) @name) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @method
(alias name: (_) @name) @method
(assignment left: (constant) @name) @constant
(assignment left: (left_assignment_list (constant) @name)) @constant
(call method: (identifier) @attribute arguments: (argument_list . (simple_symbol) @name) @method (#match? @attribute "^(alias_method|define_method)$"))
(call method: (identifier) @attribute arguments: (argument_list (simple_symbol) @name @variable) (#match? @attribute "^attr_(accessor|reader|writer)$"))
`;

export const phpQuery = `
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @constant
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(const_declaration (const_element (name) @name) @constant)
(property_declaration (property_element (variable_name (name) @name))) @variable
(property_promotion_parameter name: (variable_name (name) @name)) @variable
(function_call_expression function: (name) @attribute arguments: (arguments . (argument (string) @name)) (#eq? @attribute "define")) @constant
(program (expression_statement (assignment_expression left: (variable_name (name) @name) right: [(anonymous_function) (arrow_function)]) @function))
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @variable))
`;
