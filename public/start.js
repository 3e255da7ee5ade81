/*
 * Runs before the first paint and the app's own script. Anything unexpected leaves the defaults, and the work to the app.
 */

const readStored = name => JSON.parse(localStorage.getItem(`foldboard.${name}`) ?? '{}')

// So that the page does not appear in another theme first. The app reads the same preferences, with all checks, in
// src/actors/storage.ts.
try {
  const { theme, compact, wide } = readStored('preferences')
  const root = document.documentElement
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
  if (compact === true) root.dataset.density = 'compact'
  if (wide === true) root.dataset.wide = 'true'
} catch {
  // Storage is forbidden or damaged.
}

/** Whether the screen of machines shows one machine with the default columns, as far as this browser knows. */
const showsOneMachine = () => {
  try {
    const { columns, fleetView: { layout, collapsed } = {} } = readStored('preferences')
    return (
      /^\/(machines)?$/.test(location.pathname) &&
      location.search === '' &&
      columns === undefined &&
      (layout ?? 'panels') === 'panels' &&
      collapsed?.all !== true &&
      !collapsed?.except?.length &&
      ['session', 'views', 'tags', 'addresses'].every(name => localStorage.getItem(`foldboard.${name}`) === null) &&
      document.querySelector('meta[name="foldboard:server"]') === null
    )
  } catch {
    // Storage is forbidden or damaged.
    return false
  }
}

/** Puts texts where the elements with their names are; an element without a text is removed. */
const fill = (part, texts) => {
  for (const element of part.querySelectorAll('[data-slot]')) {
    const text = texts[element.dataset.slot]
    if (text === undefined) element.remove()
    else element.textContent = text
    // A copy in a list is filled before the whole.
    delete element.dataset.slot
  }
}

/** Copies the only child of an element for each item; `fillCopy` changes a copy. */
const repeat = (list, items, fillCopy) => {
  const model = list.firstElementChild
  list.replaceChildren(
    ...items.map(item => {
      const copy = model.cloneNode(true)
      fillCopy(copy, item)
      return copy
    }),
  )
}

/** Shows what the worker knows of the machine (src/folding/machine/preview.ts) in the copy of the screen in index.html. */
const showPreview = ({ slots, states, columns, sizes, units }) => {
  const preview = document.getElementById('preview').content.cloneNode(true)
  const find = name => preview.querySelector(`[data-list="${name}"]`)
  repeat(find('states'), states, (copy, { text, tone }) => {
    fill(copy, { text })
    copy.querySelector('.status-mark-mark').classList.add(`tones-${tone}`)
  })
  repeat(find('units'), units, (copy, { slots: texts, stale, tone, isMoving, share = 0 }) => {
    for (const id of stale) copy.querySelector(`[data-slot="${id}"]`)?.classList.add('unit-cell-stale')
    fill(copy, texts)
    for (const mark of copy.querySelectorAll('.status-mark-mark, .progress-bar-track'))
      mark.classList.add(`tones-${tone}`)
    const bar = copy.querySelector('.progress-bar-track')
    if (isMoving) bar.classList.add('progress-bar-moving')
    bar.firstElementChild.style.inlineSize = `${share * 100}%`
  })
  for (const element of preview.querySelectorAll('[data-column]'))
    if (!columns.includes(element.dataset.column)) element.remove()
  for (const [name, size] of Object.entries(sizes)) find('sheet').style.setProperty(name, size)
  fill(preview, slots)
  document.querySelector('main').append(preview)
}

// The connection to the first client is made while the app's script is loaded. src/app/main.tsx takes the worker over, and
// the worker closes the connection when the app wants none to that address.
try {
  const { worker: script, client } = document.currentScript.dataset
  if (script !== undefined) {
    const worker = new Worker(script, { type: 'module', name: 'wire' })
    worker.onmessage = () => (worker.isReady = true)
    worker.onerror = () => (worker.hasFailed = true)
    const told = document.querySelector('meta[name="foldboard:direct-address"]')?.content ?? client
    const [first, ...others] = told.split(',')
    const address = first.trim() === 'self' ? location.host : first.trim()
    if (/^[\w.-]+:\d+$/.test(address)) {
      const command = { type: 'direct.prepare', url: `ws://${address}/api/websocket` }
      if (others.length === 0 && showsOneMachine()) {
        const { port1, port2 } = new MessageChannel()
        let hasFailed = false
        port1.onmessage = ({ data }) => {
          // The app shows the machine itself once it has the worker.
          if (data !== undefined && window.foldboardWire === worker && !hasFailed) showPreview(data)
        }
        // Without the app nothing would tell how old the preview is.
        const onError = ({ target: { type } }) => {
          if (type !== 'module') return
          hasFailed = true
          document.querySelector('[data-preview]')?.remove()
        }
        window.addEventListener('error', onError, true)
        worker.postMessage({ ...command, preview: { port: port2, width: innerWidth, address } }, [port2])
      } else worker.postMessage(command)
    }
    window.foldboardWire = worker
  }
} catch {
  // No workers, or a damaged setting.
}

// Formatting the first number takes a browser milliseconds, for which there is time while the app's script is loaded. Safari
// has no such callback.
window.requestIdleCallback?.(() =>
  new Intl.NumberFormat(navigator.languages.find(tag => tag.startsWith('en')) ?? 'en').format(1),
)
