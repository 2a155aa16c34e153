import { afterEach, expect, it, vi } from "vitest";
import { createApp } from "#api/http/app";
import { openApiDocument } from "#api/http/openapi";
import { workflows } from "../../../../workflows";

afterEach(() => vi.useRealTimers());

const documentOn = (day: string) => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(day) });
  const noServices = () => {
    throw new Error("The document needs no services.");
  };
  return openApiDocument(createApp(noServices), workflows);
};

it("is the same document on every day", () => {
  expect(documentOn("2026-11-23")).toEqual(documentOn("2031-02-01"));
});
