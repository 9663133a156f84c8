// Before anything is painted: what was chosen last time.
(() => {
  try {
    const theme = localStorage.getItem("rookery.theme");
    if (theme) document.documentElement.dataset.theme = theme;
    if (localStorage.getItem("rookery.coordinates") === '"no"') document.documentElement.dataset.coordinates = "no";
  } catch { /* no storage, no memory */ }
})();
