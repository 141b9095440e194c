// A connection that is half open answers nothing, and nobody closes it: whoever waits has to give up.

/** How long nothing at all may go through. */
export const SILENT_SECONDS = 60;

export const SILENT = "Nothing went through for a minute.";

/** Ends an upload of which nothing goes out for so long, and calls `onSilence` before. Answers a function
 * that ends this watch, for servers that work long before they answer. */
export function endWhenSilent(request, onSilence) {
  let timer;
  const stop = () => clearTimeout(timer);
  const heard = () => {
    stop();
    timer = setTimeout(() => {
      onSilence();
      request.abort();
    }, SILENT_SECONDS * 1000);
  };
  request.upload.addEventListener("progress", heard);
  request.addEventListener("loadend", stop);
  heard();
  return stop;
}
