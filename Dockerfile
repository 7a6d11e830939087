# One image for all processes of the service. The command selects the process.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY lab/package.json lab/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/documents/package.json packages/documents/
COPY packages/pii/package.json packages/pii/
COPY packages/portal/package.json packages/portal/
COPY packages/sandbox/package.json packages/sandbox/
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY packages ./packages
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
# bubblewrap isolates the children that open documents (ENGINE_ISOLATION).
# Native Tesseract, with its fast English model, which npm does not have, recognises a page in two thirds of
# the CPU time of the WebAssembly build. For more languages, add packages such as tesseract-ocr-deu.
# fonts-droid-fallback (7 MB) draws Chinese, Japanese and Korean text of Office and text files. The renderer
# finds fonts through the configuration of fontconfig-config.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd \
    fontconfig-config fonts-droid-fallback \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    STORAGE_URL=file:///data/storage \
    TESSDATA_PATH=/usr/share/tesseract-ocr/5/tessdata
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY docs ./docs
COPY LICENSE NOTICE ./
# A new volume gets the owner of the folder that it is mounted on.
RUN mkdir -p /data/storage /backup && chown -R node:node /data /backup
USER node
VOLUME /data/storage
EXPOSE 8080
CMD ["node", "dist/server.js"]
