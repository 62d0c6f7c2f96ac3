export const goQuery = `
(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @container)) name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(const_spec (identifier) @name) @constant
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(field_declaration name: (field_identifier) @name) @variable
(method_elem name: (field_identifier) @name) @method
`;

export const rustQuery = `
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @constant
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(macro_definition name: (identifier) @name) @function
(field_declaration name: (field_identifier) @name) @variable
(mod_item name: (identifier) @name body: (_)) @scope
(impl_item type: (_) @name) @scope
`;

export const javaQuery = `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @constant
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(compact_constructor_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @variable
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @variable))
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
`;

export const csharpQuery = `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @constant
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(destructor_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(operator_declaration operator: _ @name) @method
(conversion_operator_declaration type: (_) @name) @method
(indexer_declaration "this" @name) @variable
(record_declaration (parameter_list (parameter name: (identifier) @name) @variable))
(property_declaration name: (identifier) @name) @variable
(event_declaration name: (identifier) @name) @variable
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @variable
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @variable
(namespace_declaration name: (_) @name) @scope
`;

/** Names inside C declarators stand deep; `@declarator` is where to look for them. */
export const cFamilyQuery = `
(function_definition declarator: (_) @declarator) @function
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(enumerator name: (identifier) @name) @constant
(type_definition declarator: (_) @declarator) @type
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
(preproc_def name: (identifier) @name) @constant
(preproc_function_def name: (identifier) @name) @function
(field_declaration declarator: (_) @declarator) @variable
(field_declaration_list (declaration declarator: (_) @declarator) @variable)
(field_declaration_list (template_declaration (declaration declarator: (_) @declarator) @variable))
(namespace_definition name: (_) @name) @scope
(translation_unit (declaration declarator: (_) @declarator) @variable)
(declaration_list (declaration declarator: (_) @declarator) @variable)
(preproc_ifdef (declaration declarator: (_) @declarator) @variable)
(preproc_if (declaration declarator: (_) @declarator) @variable)
`;
