import { newId } from "#core/ids";

/** A body that creates an agent with an unused name. */
export const newAgent = (more: object = {}) => ({
  name: `Clerk ${newId("agt").slice(-10)}`,
  description: "Looks up parcels.",
  capabilities: ["Find a parcel by its number"],
  when_to_use: "For questions about parcels.",
  input: "A parcel number.",
  output: "Where the parcel is.",
  instructions: "You look up parcels. Never guess where one is.",
  ...more,
});
