import { LOCALES, SOURCE_LOCALE } from '../../folding/text/locales.ts'

/*
 * All messages with their places and translations, for `npm run dev`: a changed translation is written into its file in
 * src/locales (scripts/vite/translate.ts), and the page beside it is loaded again.
 */

type Entry = {
  readonly id: string
  readonly message: string
  readonly translation: string
  readonly places: readonly string[]
}

function part<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`)
  return found
}

const translated = LOCALES.filter(({ code }) => code !== SOURCE_LOCALE)
const asked = new URLSearchParams(location.search).get('locale')
const locale = translated.find(({ code }) => code === asked) ?? translated[0]
const address = `/translations/${locale?.code ?? ''}`

part('languages', HTMLElement).replaceChildren(
  ...translated.flatMap(({ code, name }) => {
    const link = document.createElement('a')
    link.href = `?locale=${code}`
    link.textContent = name
    if (code === locale?.code) link.setAttribute('aria-current', 'page')
    return [link, ' ']
  }),
)

const frame = part('result', HTMLIFrameElement)

/** Where the page is now, in the language that is translated. */
function showResult(): void {
  const shown = new URL(frame.contentWindow?.location.href ?? '', location.origin)
  const url = shown.origin === location.origin ? shown : new URL('/machines', location.origin)
  url.searchParams.set('locale', locale?.code ?? SOURCE_LOCALE)
  frame.src = url.href
}

async function save(id: string, translation: string): Promise<string> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, translation }),
  })
  if (!answer.ok) return `It was not saved: status ${answer.status}.`
  const { faults } = (await answer.json()) as { readonly faults: readonly string[] }
  return faults.join('; ')
}

function rowOf({ id, message, translation, places }: Entry): HTMLLIElement {
  const row = document.createElement('li')
  const label = document.createElement('label')
  const text = document.createElement('span')
  text.textContent = message
  text.lang = SOURCE_LOCALE
  const field = document.createElement('textarea')
  field.value = translation
  field.lang = locale?.code ?? ''
  field.dir = locale?.direction ?? 'ltr'
  const where = document.createElement('small')
  where.textContent = places.join(', ')
  const fault = document.createElement('p')
  fault.role = 'alert'
  field.addEventListener('change', () => {
    save(id, field.value).then(
      found => {
        fault.textContent = found
        if (found === '') showResult()
      },
      () => {
        fault.textContent = 'It was not saved: the development server does not answer.'
      },
    )
  })
  label.append(text, field)
  row.append(label, where, fault)
  return row
}

async function start(): Promise<void> {
  const answer = await fetch(address)
  const entries = (await answer.json()) as readonly Entry[]
  const rows = entries.map(entry => ({ entry, row: rowOf(entry) }))
  const find = part('find', HTMLInputElement)
  const missing = part('missing', HTMLInputElement)
  const filter = (): void => {
    const words = find.value.toLowerCase()
    for (const { entry, row } of rows) {
      const text = [entry.message, row.querySelector('textarea')?.value ?? '', ...entry.places].join(' ').toLowerCase()
      row.hidden = !text.includes(words) || (missing.checked && row.querySelector('textarea')?.value !== '')
    }
    const shown = rows.filter(({ row }) => !row.hidden).length
    part('count', HTMLElement).textContent =
      `${shown} of ${rows.length} messages; saved in src/locales/${locale?.code ?? ''}.po`
  }
  find.addEventListener('input', filter)
  missing.addEventListener('change', filter)
  part('messages', HTMLElement).append(...rows.map(({ row }) => row))
  filter()
  showResult()
}

start().catch((error: unknown) => {
  part('count', HTMLElement).textContent = `The messages cannot be read: ${String(error)}`
})
