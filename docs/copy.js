// Copies the commands of a console block without their prompts and without what they print.
addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.('[data-md-type="copy"]');
    const lines = button?.closest("pre")?.querySelector("code")?.textContent.split("\n") ?? [];
    if (!lines.some((line) => line.startsWith("$ "))) return;
    event.stopImmediatePropagation();
    const commands = [];
    let isOpen = false;
    for (const line of lines) {
      const isCommand = line.startsWith("$ ") || (isOpen && line.startsWith("> "));
      if (isCommand || isOpen) commands.push(isCommand ? line.slice(2) : line);
      isOpen = (isCommand || isOpen) && line.endsWith("\\");
    }
    navigator.clipboard.writeText(commands.join("\n"));
  },
  true,
);
