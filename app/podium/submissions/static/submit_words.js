// Numbers of an upload as people read them.
const UNITS = ["bytes", "KB", "MB", "GB"];

/** "1.5 MB" */
export function sizeOf(count) {
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${count} bytes` : `${value.toFixed(1).replace(/\.0$/, "")} ${UNITS[unit]}`;
}

/** "2 min 5 s" */
export function durationOf(seconds) {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** "1,234 rows" */
export function counted(count, one) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
}

/** How fast bytes went in the last seconds, so that an old stall or sprint is soon forgotten. */
export class Rate {
  constructor(seconds = 10) {
    this.window = seconds * 1000;
    this.forget();
  }

  forget() {
    this.seen = [];
  }

  add(bytes, now = performance.now()) {
    this.seen.push([now, bytes]);
    while (this.seen.length > 2 && now - this.seen[0][0] > this.window) this.seen.shift();
  }

  /** Bytes per second; 0 while that is unknown. */
  get value() {
    if (this.seen.length < 2) return 0;
    const [from, before] = this.seen[0];
    const [to, after] = this.seen.at(-1);
    return to - from < 500 ? 0 : (1000 * (after - before)) / (to - from);
  }
}
