// JupyterLab's launcher and command palette open the list of essays to mark.
//
// A prebuilt extension of JupyterLab 4 is a container of webpack's module federation: `init` is given the packages that
// JupyterLab shares, `get` a module of the extension. One command needs no more than this file, and no build.
// Source: JupyterLab's "Extension Developer Guide" (prebuilt extensions), and its staging/index.js, which loads them.

"use strict";

window._JUPYTERLAB ??= {};
window._JUPYTERLAB["attention-workbook-marking"] = (() => {
  const OPEN = "attention-workbook:mark-essays";
  const ICON =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"><g class="jp-icon3" stroke="#616161" ' +
    'stroke-width="2"><path d="M4 4h11M4 9h11M4 14h6" stroke-linecap="round"/><path d="M11 18l3 3 7-9"/></g></svg>';
  /** @type {Lab.Scope} */
  let shared = {};

  /**
   * A package that JupyterLab shares; an empty object if JupyterLab does not share it.
   *
   * @param {string} name
   */
  async function load(name) {
    const [version] = Object.values(shared[name] ?? {});
    return version ? (await version.get())() : {};
  }

  /**
   * Add the command, if the server runs in a course's folder; its texts are in the course's language.
   *
   * @param {Lab.App} app
   * @param {any} launcher
   * @param {any} palette
   * @param {any} LabIcon
   */
  async function add(app, launcher, palette, LabIcon) {
    const base = app.serviceManager.serverSettings.baseUrl;
    const answer = await fetch(`${base}essays/api/lab`, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const { label, caption } = await answer.json();
    const icon = LabIcon && new LabIcon({ name: OPEN, svgstr: ICON });
    app.commands.addCommand(OPEN, { label, caption, icon, execute: () => void window.open(`${base}essays`, "_blank") });
    launcher?.add({ command: OPEN, category: "Other", rank: 0 }); // a new category would be below all others
    palette?.addItem({ command: OPEN, category: "Nbgrader" });
  }

  async function extension() {
    const { ILauncher } = await load("@jupyterlab/launcher");
    const { ICommandPalette } = await load("@jupyterlab/apputils");
    const { LabIcon } = await load("@jupyterlab/ui-components");
    const optional = [ILauncher, ICommandPalette].filter(Boolean); // Jupyter Notebook has no launcher
    /** @type {(app: Lab.App, ...services: unknown[]) => void} */
    const activate = (app, ...services) => {
      /** @param {unknown} token */
      const service = (token) => (token ? services[optional.indexOf(token)] : null); // in the order of `optional`
      add(app, service(ILauncher), service(ICommandPalette), LabIcon).catch(console.error);
    };
    return () => ({ id: `${OPEN}:plugin`, autoStart: true, optional, activate });
  }

  return {
    init: (scope) => {
      shared = scope;
    },
    get: async (module) => {
      if (module !== "./extension") throw new Error(`There is no module ${module}.`);
      return await extension();
    },
  };
})();
