/*
 * The config.xml of clients before 8, which FAHControl edited.
 */
import { xmlText } from '../text/xml-text.ts'

export type OldLine = {
  readonly line: number
  /** Without a passkey or password. */
  readonly text: string
  /** The field that takes it over, or the resource group that does what a slot did; undefined when nothing does. */
  readonly place: 'user' | 'team' | 'passkey' | 'cpuGroup' | 'gpuGroup' | undefined
}
export type OldConfig = {
  readonly donor: { readonly user?: string; readonly team?: string; readonly secrets?: { readonly passkey: string } }
  readonly lines: readonly OldLine[]
}

const SECRETS = ['passkey', 'password', 'proxy-pass']

/** Undefined for any other text. */
export function readOldConfig(content: string): OldConfig | undefined {
  if (!/<config[\s>]/.test(content)) return undefined
  // Comments may hold examples; what follows them keeps its line.
  const text = content.replaceAll(/<!--[^]*?-->/g, comment => comment.replaceAll(/[^\n]/g, ''))
  let donor: OldConfig['donor'] = {}
  const lines: OldLine[] = []
  for (const { 1: name = '', 2: attributes = '', index } of text.matchAll(/<([a-z][\w-]*)([^>]*)>/gi)) {
    if (name === 'config') continue
    const valueOf = (attribute: string): string =>
      xmlText(new RegExp(`\\s${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)?.slice(1).join('') ?? '')
    const value = valueOf('(?:v|value)')
    let place: OldLine['place']
    if (name === 'slot') place = /gpu/i.test(valueOf('type')) ? 'gpuGroup' : 'cpuGroup'
    else if ((name === 'user' || name === 'team' || name === 'passkey') && value !== '') {
      place = name
      donor = { ...donor, ...(name === 'passkey' ? { secrets: { passkey: value } } : { [name]: value }) }
    }
    const shown = name === 'slot' ? `${valueOf('id')} ${valueOf('type')}` : SECRETS.includes(name) ? '' : value
    lines.push({ line: text.slice(0, index).split('\n').length, text: `${name} ${shown}`.trim(), place })
  }
  return { donor, lines }
}
