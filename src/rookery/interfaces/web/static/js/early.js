// Before anything is painted: the colours that were chosen last time.
(() => {
  try {
    const theme = localStorage.getItem("rookery.theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch { /* no storage, no memory */ }
})();
