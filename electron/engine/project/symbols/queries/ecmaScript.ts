const functionValue = '[(arrow_function) (function_expression) (generator_function)]';

/** The names that `{a, b: c, d = 1, ...rest}` and `[a, b = 1, ...rest]` bring. */
const pattern = `[
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    (object_assignment_pattern left: (_) @name)
    (rest_pattern (identifier) @name)
  ])
  (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern (identifier) @name)])
]`;

/** Each query names definitions by their kind; `@scope` is a container that is no symbol itself. The first pattern that takes a name decides. */
export const javascriptQuery = `
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: ${functionValue}) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(pair key: [(property_identifier) (string)] @name value: ${functionValue}) @method
(assignment_expression left: (identifier) @name right: ${functionValue}) @function
(assignment_expression left: (member_expression object: (_) @container property: (property_identifier) @name) right: ${functionValue}) @function
(assignment_expression left: (member_expression object: (_) @container property: (property_identifier) @name) right: (class)) @class
(export_statement "default" @name value: ${functionValue} @function)
(export_statement "default" @name value: (class) @class)
(export_statement "default" @name value: [(object) (array) (call_expression) (new_expression)] @constant)
(export_specifier name: (identifier) @exported)
(export_statement value: (identifier) @exported)
`;

/** For the root's own children. With the root in each pattern, every node of a file would be held against all of them. */
export const javascriptTopLevel = `
(lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant)
(export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant))
(lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable)
(export_statement (lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable))
(variable_declaration (variable_declarator name: (identifier) @name) @variable)
(export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(lexical_declaration "const" (variable_declarator name: ${pattern}) @constant)
(export_statement (lexical_declaration "const" (variable_declarator name: ${pattern}) @constant))
(lexical_declaration "let" (variable_declarator name: ${pattern}) @variable)
(export_statement (lexical_declaration "let" (variable_declarator name: ${pattern}) @variable))
(variable_declaration (variable_declarator name: ${pattern}) @variable)
(export_statement (variable_declaration (variable_declarator name: ${pattern}) @variable))
`;

export const javascriptOnly = `
(field_definition property: (_) @name value: ${functionValue}) @method
(field_definition property: (_) @name) @variable
`;

export const typescriptOnly = `
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (identifier) @name) @enum
(enum_body name: (property_identifier) @name @constant)
(enum_assignment name: (property_identifier) @name) @constant
(function_signature name: (identifier) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(interface_body (property_signature name: (_) @name) @variable)
(public_field_definition name: (_) @name value: ${functionValue}) @method
(public_field_definition name: (_) @name) @variable
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @variable
(internal_module name: (_) @name) @scope
(module name: (_) @name) @scope
(ambient_declaration (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant))
(ambient_declaration (lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(internal_module body: (statement_block (export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant))))
(internal_module body: (statement_block (export_statement (_ (variable_declarator name: (identifier) @name) @variable))))
(internal_module body: (statement_block (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant)))
(internal_module body: (statement_block (_ (variable_declarator name: (identifier) @name) @variable)))
`;
