/** Keys that expire, and keys that are rolled. */
import { beforeAll, describe, expect, it } from "vitest";
import { addKey, all, type Client, makeTenant } from "../support/parley";
import { api, refusal } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const create = (body: object) =>
  api("POST", "/v1/keys", { key: client.test, body: { name: "backend", mode: "test", ...body } });
const read = async (id: string) => (await api("GET", `/v1/keys/${id}`, { key: client.test })).body;
const roll = (id: string, body?: object, key = client.test) =>
  api("POST", `/v1/keys/${id}/roll`, { key, ...(body && { body }) });
const use = (key: string) => api("GET", "/v1/runs", { key });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a key with expires_at", () => {
  it("works until then, is refused from then on with what to do, and stays in the list", async () => {
    const expires_at = inSeconds(1.5);
    const { body: made } = await create({ expires_at });
    expect(made.expires_at).toBe(expires_at);
    expect((await use(made.key)).status).toBe(200);
    await wait(Date.parse(expires_at) - Date.now() + 10);
    const refused = await use(made.key);
    expect(refused).toMatchObject(refusal(401, "key_expired"));
    expect(refused.body.detail).toContain(`${made.id} expired at ${expires_at}`);
    const listed = await all(client.test, "/v1/keys");
    expect(listed.find(({ id }) => id === made.id)).toMatchObject({ expires_at, revoked_at: null });
  });

  it("counts in the quota of keys until then, also while no other key is made", async () => {
    const { live } = await makeTenant();
    const used = async () => (await api("GET", "/v1/metrics", { key: live })).body.quotas.keys.used;
    const before = await used();
    const expires_at = inSeconds(1.5);
    const body = { name: "short", mode: "test", expires_at };
    expect((await api("POST", "/v1/keys", { key: live, body })).status).toBe(201);
    expect(await used()).toBe(before + 1);
    await wait(Date.parse(expires_at) - Date.now() + 10);
    expect(await used()).toBe(before);
  });

  it("takes any offset, and no time in the past", async () => {
    expect((await create({ expires_at: "2101-01-01T01:00:00+01:00" })).body.expires_at).toBe(
      "2101-01-01T00:00:00.000Z",
    );
    for (const expires_at of [inSeconds(-1), "tomorrow", 5])
      expect(await create({ expires_at })).toMatchObject(refusal(422, "validation_failed", "expires_at"));
    expect((await create({})).body.expires_at).toBeNull();
  });
});

describe("a roll", () => {
  it("makes a key like the old one, which works until the overlap ends", async () => {
    const { body: old } = await create({ scopes: ["runs:read"], workflows: ["debate", "ideation"] });
    const begun = Date.now();
    const reply = await roll(old.id, { overlap_seconds: 2 });
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toBe(`/v1/keys/${reply.body.id}`);
    const { id, name, mode, scopes, workflows, key } = reply.body;
    expect({ name, mode, scopes, workflows }).toEqual({
      name: old.name,
      mode: old.mode,
      scopes: old.scopes,
      workflows: old.workflows,
    });
    expect(id).not.toBe(old.id);
    expect(await read(old.id)).toMatchObject({ rolled_to: id, revoked_at: null });
    const { expires_at } = await read(old.id);
    expect(Date.parse(expires_at) - begun).toBeGreaterThanOrEqual(2000);
    expect([(await use(old.key)).status, (await use(key)).status]).toEqual([200, 200]);
    await wait(Date.parse(expires_at) - Date.now() + 10);
    const refused = await use(old.key);
    expect(refused).toMatchObject(refusal(401, "key_expired"));
    expect(refused.body.detail).toContain(`It was rolled to ${id}`);
    expect((await use(key)).status).toBe(200);
  });

  it("overlaps for a day by default, for seven days at most, and not at all with 0", async () => {
    const { body: first } = await create({});
    await roll(first.id);
    const ends = Date.parse((await read(first.id)).expires_at) - Date.now();
    expect(ends / 3_600_000).toBeCloseTo(24, 1);
    const { body: second } = await create({});
    for (const overlap_seconds of [-1, 604_801, 1.5, "1h"])
      expect(await roll(second.id, { overlap_seconds })).toMatchObject(
        refusal(422, "validation_failed", "overlap_seconds"),
      );
    expect((await roll(second.id, { overlap_seconds: 0 })).status).toBe(201);
    expect(await use(second.key)).toMatchObject(refusal(401, "key_expired"));
  });

  it("gives the new key the lifetime of the old one, and never lengthens the old one's", async () => {
    const { body: old } = await create({ expires_at: inSeconds(3600) });
    const { body: next } = await roll(old.id, { overlap_seconds: 604_800 });
    const lifetime = (key: { created_at: string; expires_at: string }) =>
      Date.parse(key.expires_at) - Date.parse(key.created_at);
    expect(lifetime(next)).toBe(lifetime(old));
    expect((await read(old.id)).expires_at).toBe(old.expires_at);
  });

  it("happens once, also for requests at once, and not to a key that has ended", async () => {
    const { body: old } = await create({});
    const before = (await all(client.test, "/v1/keys")).length;
    const replies = await Promise.all(Array.from({ length: 4 }, () => roll(old.id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)).toMatchObject(refusal(409, "key_ended"));
    expect((await all(client.test, "/v1/keys")).length).toBe(before + 1);
    const { body: revoked } = await create({});
    await api("DELETE", `/v1/keys/${revoked.id}`, { key: client.test });
    expect(await roll(revoked.id)).toMatchObject(refusal(409, "key_ended"));
    expect(await roll("key_01KA9VR4T5M6N7P8Q9R0S1T2V3")).toMatchObject(refusal(404, "not_found"));
  });

  it("by the key itself leaves it a minute at least, so that a lost answer can be asked for again", async () => {
    const own = await addKey(client.tenant, "test", ["admin"]);
    const { id } = (await all(client.test, "/v1/keys")).find(({ hint }) => hint === own.slice(-4));
    expect(await roll(id, { overlap_seconds: 59 }, own)).toMatchObject(refusal(409, "key_in_use"));
    const { status, body } = await roll(id, { overlap_seconds: 60 }, own);
    expect(status).toBe(201);
    expect([(await use(own)).status, (await use(body.key)).status]).toEqual([200, 200]);
  });
});
