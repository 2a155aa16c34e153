import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callRefusal, urlRefusal } from "#core/outbound/url-policy";

const PUBLIC = [
  "https://example.com",
  "https://example.com:8443/hooks?x=1#part",
  "https://hooks.example.co.uk/a/b",
  "https://EXAMPLE.com/",
  "https://bücher.example/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "https://8.8.8.8/",
  "https://172.15.255.255/",
  "https://172.32.0.1/",
  "https://100.63.255.255/",
  "https://100.128.0.1/",
  "https://169.253.255.255/",
  "https://[2606:4700:4700::1111]/",
];

const EVIL = {
  "not a URL": [
    "",
    "example.com",
    "/hook",
    "//example.com/hook",
    "https://",
    "https://exa mple.com/",
    "https://1.2.3.256/",
    "https://[::1",
  ],
  "other schemes": [
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:,x",
    "ws://example.com/",
  ],
  credentials: [
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://:pass@example.com/",
    "https://example.com@example.org/",
  ],
  "loopback, in every spelling": [
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://127.255.255.254/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://0x7f.0.0.0x1/",
    "https://127.0.0.1./",
    "https://0x7F000001/",
    "https://１２７.０.０.１/",
    "https://127。0。0。1/",
    "https://%31%32%37.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::0001]/",
  ],
  "IPv4 within IPv6": [
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::127.0.0.1]/",
    "https://[::7f00:1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::10.0.0.1]/",
    "https://[2002:7f00:1::]/",
    "https://[2002:a00:1::1]/",
    "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
  ],
  unspecified: ["https://0.0.0.0/", "https://0/", "https://0x0/", "https://0.1.2.3/", "https://[::]/"],
  private: [
    "https://10.0.0.1/",
    "https://10.255.255.255/",
    "https://167772161/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.0.1/",
    "https://0xc0a80001/",
    "https://192.168.257/",
    "https://[fc00::1]/",
    "https://[fd12:3456:789a::1]/",
    "https://[fec0::1]/",
  ],
  "link-local and metadata": [
    "https://169.254.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://0251.0376.0251.0376/",
    "https://[fe80::1]/",
    "https://[febf::1]/",
    "https://[fd00:ec2::254]/",
    "https://100.100.100.200/",
    "https://192.0.0.192/",
    "https://168.63.129.16/",
    "https://metadata.google.internal/",
  ],
  "shared, multicast, reserved": [
    "https://100.64.0.1/",
    "https://100.127.255.255/",
    "https://224.0.0.1/",
    "https://239.255.255.255/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://192.0.2.1/",
    "https://198.18.0.1/",
    "https://198.51.100.1/",
    "https://203.0.113.1/",
    "https://[ff02::1]/",
    "https://[ff0e::1]/",
    "https://[2001:db8::1]/",
    "https://[100::1]/",
    "https://[4000::1]/",
  ],
  names: [
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://api.localhost/",
    "https://printer.local/",
    "https://db.internal/",
    "https://nas.home.arpa/",
    "https://home.arpa/",
    "https://router.lan/",
    "https://intranet/",
    "https://db:5432/",
    "https://com/",
    "https://example.com./",
    "https://ｌｏｃａｌｈｏｓｔ/",
    "https://loc%61lhost/",
    "https://printer。local/",
    "https://localhost%2e/",
    "https://lo­calhost/",
  ],
};

describe("a URL is checked by its text", () => {
  test.each([
    "https://example.com/\r\nHost: evil.example",
    "https://example.com/a b",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://[2606:4700::1%25eth0]/",
  ])("refused, spelling or port: %j", (url) => {
    expect(urlRefusal(url, { allow_private: false })).toMatch(/^It.*\.$/);
  });

  test.each([true, false])(
    "the address of this deployment is refused (private ones allowed: %s)",
    async (allow_private) => {
      const policy = { allow_private, resolver_url: "", own_host: "parley.example.com" };
      const itself = "It is an address of this server itself.";
      expect(urlRefusal("https://PARLEY.example.com/v1/callbacks/x", policy)).toBe(itself);
      expect(await callRefusal("https://parley.example.com:443/", policy, AbortSignal.timeout(100))).toBe(itself);
      expect(urlRefusal("https://other.example.com/", policy)).toBeNull();
    },
  );

  test.each(PUBLIC)("public: %s", (url) => {
    expect(urlRefusal(url, { allow_private: false })).toBeNull();
  });

  for (const [what, urls] of Object.entries(EVIL)) {
    test.each(urls)(`refused, ${what}: %s`, (url) => {
      expect(urlRefusal(url, { allow_private: false })).toMatch(/^It.*\.$/);
    });
  }
});

describe("when private URLs are allowed", () => {
  test.each([
    "http://127.0.0.1:8080/hook",
    "http://localhost/",
    "https://[::1]/",
    "https://db.internal/",
    "http://intranet/",
  ])("called: %s", (url) => {
    expect(urlRefusal(url, { allow_private: true })).toBeNull();
  });

  test.each(["ftp://localhost/", "file:///etc/passwd", "javascript:alert(1)", "localhost:8080", "/hook"])(
    "refused all the same: %s",
    (url) => {
      expect(urlRefusal(url, { allow_private: true })).not.toBeNull();
    },
  );
});

describe("a name is checked by every address that it has at the time of the call", () => {
  /** The resolver's answer for a name: addresses of each family, or an HTTP or DNS status. */
  const ZONE: Record<
    string,
    { A?: string[]; AAAA?: string[]; alias?: string; dns?: number; http?: number; body?: string }
  > = {
    "public.example": { A: ["93.184.215.14"], AAAA: ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"] },
    "v4.example": { A: ["93.184.215.14"] },
    "v6.example": { AAAA: ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"] },
    "alias.example": { alias: "public.example.", A: ["93.184.215.14"] },
    "loopback.example": { A: ["127.0.0.1"] },
    "loopback6.example": { A: ["93.184.215.14"], AAAA: ["::1"] },
    "metadata.example": { A: ["169.254.169.254"] },
    "office.example": { A: ["93.184.215.14", "10.0.0.7"] },
    "ula.example": { AAAA: ["fd12:3456:789a::1"] },
    "mapped.example": { AAAA: ["::ffff:10.0.0.1"] },
    "empty.example": {},
    "broken.example": { dns: 2 },
    "down.example": { http: 503 },
    "garbled.example": { body: "<html>" },
    "odd.example": { body: '{"Status":"fine"}' },
    "nonsense.example": { A: ["not-an-address"] },
  };
  let resolver_url: string;
  let asked: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, "http://resolver");
    const name = searchParams.get("name")!;
    const type = searchParams.get("type") as "A" | "AAAA";
    asked.push(`${name} ${type}`);
    if (name === "silent.example") return;
    const zone = ZONE[name];
    response.writeHead(zone?.http ?? 200, { "content-type": "application/dns-json" });
    const alias = zone?.alias ? [{ type: 5, data: zone.alias }] : [];
    const records = (zone?.[type] ?? []).map((data) => ({ type: type === "A" ? 1 : 28, data }));
    const Answer = [...alias, ...records];
    response.end(
      zone?.body ?? JSON.stringify({ Status: zone ? (zone.dns ?? 0) : 3, ...(Answer.length && { Answer }) }),
    );
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    resolver_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const judge = (url: string, policy: object = {}, ms = 5000) => {
    asked = [];
    return callRefusal(url, { allow_private: false, resolver_url, ...policy }, AbortSignal.timeout(ms));
  };

  test.each(["public.example", "v4.example", "v6.example", "alias.example"])("called: %s", async (name) => {
    expect(await judge(`https://${name}/hook`)).toBeNull();
    expect(asked.toSorted()).toEqual([`${name} A`, `${name} AAAA`]);
  });

  test.each([
    ["loopback.example", "127.0.0.1"],
    ["loopback6.example", "::1"],
    ["metadata.example", "169.254.169.254"],
    ["office.example", "10.0.0.7"],
    ["ula.example", "fd12:3456:789a::1"],
    ["mapped.example", "::ffff:10.0.0.1"],
    ["nonsense.example", "not-an-address"],
  ])("refused: %s, for %s", async (name, address) => {
    expect(await judge(`https://${name}/`)).toBe(
      `Its host ${name} resolves to ${address}, which is not a public address.`,
    );
  });

  test.each([
    ["empty.example", /has no address/],
    ["unknown.example", /has no address/],
    ["broken.example", /could not be resolved: the resolver failed with DNS code 2/],
    ["down.example", /could not be resolved: the resolver answered 503/],
    ["garbled.example", /could not be resolved/],
    ["odd.example", /could not be resolved: the resolver's answer could not be read/],
  ])("not called, because it cannot be resolved: %s", async (name, reason) => {
    expect(await judge(`https://${name}/`)).toMatch(reason);
  });

  test("not called while the resolver is unreachable", async () => {
    expect(await judge("https://public.example/", { resolver_url: "http://127.0.0.1:9/" })).toMatch(
      /could not be resolved/,
    );
  });

  test("a resolver that does not answer ends at the timeout of the call", async () => {
    await expect(judge("https://silent.example/", {}, 50)).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("a URL whose text decides is not looked up", async () => {
    expect(await judge("https://127.0.0.1/")).toContain("not a public address");
    expect(await judge("http://public.example/")).toContain("https");
    expect(await judge("https://93.184.215.14/")).toBeNull();
    expect(await judge("https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/")).toBeNull();
    expect(asked).toEqual([]);
  });

  test("nothing is looked up when private URLs are allowed", async () => {
    expect(await judge("http://loopback.example/", { allow_private: true })).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe("hosts that the operator lists may be private", () => {
  const listed = {
    allow_private: false,
    private_hosts: ["hooks.internal", "10.0.0.5:8080", "*.corp.example", "[fd00::1]"],
  };

  test.each([
    "http://hooks.internal/a",
    "https://hooks.internal:25/a",
    "http://10.0.0.5:8080/",
    "http://a.b.corp.example/",
    "http://[fd00::1]:9000/",
  ])("called: %s", async (url) => {
    expect(urlRefusal(url, listed)).toBeNull();
    const policy = { ...listed, resolver_url: "http://127.0.0.1:9/" };
    expect(await callRefusal(url, policy, AbortSignal.timeout(1000))).toBeNull();
  });

  test.each([
    "http://10.0.0.5/",
    "http://10.0.0.6:8080/",
    "http://corp.example/",
    "https://evilcorp.example.internal/",
    "https://hooks.internal.local/",
    "ftp://hooks.internal/",
    "https://127.0.0.1/",
  ])("refused: %s", (url) => expect(urlRefusal(url, listed)).not.toBeNull());

  test("a name in the operator's own URLs is refused to others, unless it is listed", () => {
    const policy = { allow_private: false, reserved_hosts: ["llm.corp.example"] };
    expect(urlRefusal("https://llm.corp.example:8443/hook", policy)).toMatch(/one that this deployment uses itself/);
    expect(urlRefusal("https://hooks.corp.example/hook", policy)).toBeNull();
    expect(urlRefusal("https://llm.corp.example/hook", { ...policy, private_hosts: ["llm.corp.example"] })).toBeNull();
  });
});
