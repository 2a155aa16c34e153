import { describe, expect, test } from "vitest";
import { refuseUrl } from "../../src/url-policy";

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

describe("a URL is judged by what it says", () => {
  test.each(PUBLIC)("public: %s", (url) => {
    expect(refuseUrl(url, { allow_private: false })).toBeNull();
  });

  for (const [what, urls] of Object.entries(EVIL)) {
    test.each(urls)(`refused, ${what}: %s`, (url) => {
      expect(refuseUrl(url, { allow_private: false })).toMatch(/^It.*\.$/);
    });
  }
});

describe("where private URLs are allowed", () => {
  test.each([
    "http://127.0.0.1:8080/hook",
    "http://localhost/",
    "https://[::1]/",
    "https://db.internal/",
    "http://intranet/",
  ])("called: %s", (url) => {
    expect(refuseUrl(url, { allow_private: true })).toBeNull();
  });

  test.each(["ftp://localhost/", "file:///etc/passwd", "javascript:alert(1)", "localhost:8080", "/hook"])(
    "refused all the same: %s",
    (url) => {
      expect(refuseUrl(url, { allow_private: true })).not.toBeNull();
    },
  );
});
