const MOST_CHARACTERS = 4096

type ShownAlert = { readonly id: string; readonly title: string; readonly body: string }

/** What the service worker shows of a message; it loads nothing that the page needs. */
export function alertOf(text: string): ShownAlert {
  const fields = fieldsOf(text)
  const read = (name: string): string => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    return typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : ''
  }
  return { id: read('id'), title: read('title') || 'Foldboard', body: read('body') }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
