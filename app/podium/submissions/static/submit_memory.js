// Which upload belongs to which file, so that it goes on after the page was closed. A file is known
// again by its name, size, time, and a sum over its beginning and end; not by a secure hash, which
// browsers keep from pages without HTTPS. The server compares lengths too.
const PREFIX = "podium-upload:";
const SAMPLE_BYTES = 65536;

/** The name under which this file's upload is remembered. */
export async function keyOf(file) {
  const ends = [file.slice(0, SAMPLE_BYTES), file.slice(Math.max(0, file.size - SAMPLE_BYTES))];
  let sum = 0;
  for (const part of ends) sum = summed(new Uint8Array(await part.arrayBuffer()), sum);
  return [PREFIX + file.name, file.size, file.lastModified, sum.toString(16)].join("|");
}

/** The id of the upload, or null. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps the id; without a store the upload goes on for as long as the page is open. */
export function remember(key, id) {
  try {
    localStorage.setItem(key, id);
  } catch {
    return;
  }
}

export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}

/** The names of remembered files by the ids of their uploads. */
export function namesById() {
  const found = new Map();
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) {
        found.set(localStorage.getItem(key), key.slice(PREFIX.length).split("|")[0]);
      }
    }
  } catch {
    return found;
  }
  return found;
}

// FNV-1a in 32 bits.
function summed(bytes, start) {
  let sum = start || 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return sum;
}
