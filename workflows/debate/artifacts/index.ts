export * from "./kinds";
export * from "./records";
export * from "./schemas";
