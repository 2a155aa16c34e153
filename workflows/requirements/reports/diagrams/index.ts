export { diagramOf } from "./diagram";
export { toMermaid } from "./mermaid";
export { toPlantuml } from "./plantuml";
export { toSvg } from "./svg";
