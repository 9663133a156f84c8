// Before anything is painted: what was chosen last time, or what the machine prefers.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const prefer = () => {
    document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  };
  prefer();
  try {
    const theme = localStorage.getItem("rookery.theme");
    if (theme) document.documentElement.dataset.theme = theme;
    dark.addEventListener("change", () => {
      if (!localStorage.getItem("rookery.theme")) prefer();
    });
    if (localStorage.getItem("rookery.coordinates") === '"no"') document.documentElement.dataset.coordinates = "no";
  } catch {
    /* no storage, no memory */
  }
})();
