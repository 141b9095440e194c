// Messengers and social networks take no SVG: where scripts run, the picture to share is a PNG, drawn as the
// page opens, so that a long press finds it as well. Where files can be shared, a button does that.
const link = document.getElementById("picture");

/** The picture behind the link as a PNG; null where the browser cannot draw it. */
async function drawn() {
  const picture = new Image();
  picture.src = link.href;
  try {
    await picture.decode();
  } catch {
    return null;
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function offerShare(file) {
  if (!navigator.canShare?.({ files: [file] })) return;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button", textContent: "Share the picture" });
  button.addEventListener("click", () => navigator.share({ files: [file] }).catch(() => null));
  link.before(button);
}

async function offerPicture() {
  const picture = await drawn();
  if (!picture) return;
  const drawing = link.cloneNode();
  drawing.removeAttribute("id");
  drawing.textContent = "As SVG";
  link.after(drawing);
  link.href = URL.createObjectURL(picture);
  link.download = link.download.replace(/svg$/, "png");
  link.textContent = "Picture to share (PNG)";
  offerShare(new File([picture], link.download, { type: "image/png" }));
}

if (link) offerPicture();
