declare module "virtual:error-help" {
  /** How to fix each error, by its code. */
  const help: Readonly<Record<string, string>>;
  export default help;
}
