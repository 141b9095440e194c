// Uploads a file by tus-js-client, of which nothing is changed: it is aborted half-way, goes on with
// a new upload of the same address, and prints where that is.
import { createReadStream, statSync } from "node:fs";
import { Upload } from "tus-js-client";

const [address, token, path] = process.argv.slice(2);
const uploadSize = statSync(path).size;

function upload(more, abortAt) {
  return new Promise((resolve, reject) => {
    const started = new Upload(createReadStream(path), {
      endpoint: `${address}/api/v1/uploads`,
      headers: { Authorization: `Bearer ${token}` },
      metadata: { filename: "tus.csv" },
      chunkSize: 65536,
      uploadSize,
      retryDelays: null,
      ...more,
      onError: reject,
      onSuccess: () => resolve([started.url, uploadSize]),
      onChunkComplete: (_, sent) => {
        if (sent < abortAt) return;
        abortAt = Infinity;
        started.abort().then(() => resolve([started.url, sent]), reject);
      },
    });
    started.start();
  });
}

const [url, first] = await upload({}, uploadSize / 2);
const [same, second] = await upload({ uploadUrl: url }, Infinity);
console.log(JSON.stringify({ url: same, isSame: same === url, first, second }));
