# Parley on Node alone (`npm run serve`): docker build -t parley . && docker run -p 8787:8787 -v parley:/data -e OPENAI_API_KEY=… parley
# Its folder is /data; `docker exec <container> node /parley/parley.mjs backup /data/<name> --data /data` copies it while it is served;
# `docker exec <container> node /parley/operator.mjs --local status` is `npm run operator`.
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && node scripts/serve.ts --build

FROM node:24-slim
COPY --from=build /build/dist/serve /parley
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
ENV NODE_ENV=production PARLEY_STATE=/data NODE_COMPILE_CACHE=/tmp/parley MALLOC_ARENA_MAX=2
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The young generation of the heap is bounded: memory stays under 300 MiB with fifty runs at once.
ENTRYPOINT ["node", "--max-semi-space-size=16", "/parley/parley.mjs", "--data", "/data", "--listen", "0.0.0.0", "--port", "8787"]
