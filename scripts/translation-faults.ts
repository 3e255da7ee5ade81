import { compileMessage } from '@lingui/message-utils/compileMessage'

type Tokens = ReturnType<typeof compileMessage>

type Choice = { readonly name: string; readonly kind: string; readonly branches: Readonly<Record<string, Tokens>> }

type Parts = { readonly values: Set<string>; readonly choices: Choice[] }

function isChoice(kind: string): boolean {
  return kind === 'plural' || kind === 'select' || kind === 'selectordinal'
}

function partsOf(tokens: Tokens, found: Parts = { values: new Set(), choices: [] }): Parts {
  for (const token of tokens) {
    if (typeof token === 'string') continue
    const [name, kind = '', options] = token
    found.values.add(isChoice(kind) || kind === '' ? name : `${name}:${kind}`)
    if (!isChoice(kind) || typeof options !== 'object' || options === null) continue
    const branches = Object.fromEntries(
      Object.entries(options).flatMap(([key, branch]) =>
        key === 'offset' ? [] : [[key, typeof branch === 'string' ? [branch] : (branch as Tokens)]],
      ),
    )
    found.choices.push({ name, kind, branches })
    for (const branch of Object.values(branches)) partsOf(branch, found)
  }
  return found
}

function tagsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/<\/?\w+\s*\/?>/g), ([tag]) => tag.replaceAll(/\s/g, '')).sort()
}

function difference(before: Iterable<string>, after: Iterable<string>): string {
  const [old, now] = [[...before].sort().join(' '), [...after].sort().join(' ')]
  return old === now ? '' : `${old === '' ? 'none' : old} became ${now === '' ? 'none' : now}`
}

function choiceFaults(locale: string, { name, kind, branches }: Choice, originals: readonly Choice[]): string[] {
  const original = originals.find(other => other.name === name && other.kind === kind)
  if (original === undefined) return [`${kind} of ${name} is not in the original`]
  const keys = Object.keys(branches)
  if (kind === 'select') {
    const changed = difference(Object.keys(original.branches), keys)
    return changed === '' ? [] : [`branches of ${name}: ${changed}`]
  }
  const type = kind === 'selectordinal' ? 'ordinal' : 'cardinal'
  const categories: readonly string[] = new Intl.PluralRules(locale, { type }).resolvedOptions().pluralCategories
  const lost = categories.filter(category => !keys.includes(category))
  // `=0` is compiled to `0`.
  const unknown = keys.filter(key => !/^\d+$/.test(key) && !categories.includes(key))
  const hasNumber = ({ other = [] }: Choice['branches']): boolean => other.includes('#')
  return [
    ...(lost.length === 0 ? [] : [`plural of ${name} lacks ${lost.join(', ')}`]),
    ...(unknown.length === 0 ? [] : [`plural of ${name} has unknown ${unknown.join(', ')}`]),
    ...(hasNumber(original.branches) && !hasNumber(branches) ? [`plural of ${name} lost its number (#)`] : []),
  ]
}

/** What a translation lost or added that its message needs: values, tags, and branches. */
export function translationFaults(locale: string, message: string, translation: string): readonly string[] {
  // In ICU messages it begins a quoted part.
  if (/'[{}]/.test(translation)) return ['an apostrophe before a brace quotes it: use ’']
  const tokens = compileMessage(translation)
  // A text that cannot be parsed is returned as it is.
  if (tokens.some(token => typeof token === 'string' && /[{}]/.test(token))) return ['no valid message']
  const translated = partsOf(tokens)
  const original = partsOf(compileMessage(message))
  const values = difference(original.values, translated.values)
  // Languages have different numbers of branches, each with its tags.
  const [before, after] = [tagsOf(message), tagsOf(translation)]
  const tags = original.choices.length > 0 ? difference(new Set(before), new Set(after)) : difference(before, after)
  const missing = original.choices.filter(
    ({ name, kind }) => !translated.choices.some(other => other.name === name && other.kind === kind),
  )
  return [
    ...(values === '' ? [] : [`placeholders: ${values}`]),
    ...(tags === '' ? [] : [`tags: ${tags}`]),
    ...missing.map(({ name, kind }) => `${kind} of ${name} is missing`),
    ...translated.choices.flatMap(choice => choiceFaults(locale, choice, original.choices)),
  ]
}
