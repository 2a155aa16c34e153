/** A kind of entity that the Modeler looks for. */
export interface EntityType {
  name: string;
  meaning: string;
  examples: readonly string[];
}

/** A kind of relation, and between which entity types it is allowed. */
export interface RelationType {
  name: string;
  meaning: string;
  /** Entity types where it may start. */
  from: readonly string[];
  /** Entity types where it may end. */
  to: readonly string[];
  /** Both ends must be of the same type (a generalization joins two actors or two use cases, never one of each). */
  same_type?: boolean;
}

/** Types of entities and of relations of one kind of requirements model. */
export interface Metamodel {
  entity_types: readonly EntityType[];
  relation_types: readonly RelationType[];
}
