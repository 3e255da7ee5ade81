/* Names of many clients from one pattern. */
import { t } from '@lingui/core/macro'
import { infoOf, linkName, osName, ownName, type ClientView } from '../client/client.ts'
import { finite, text } from '../shared/read.ts'
import { checkClientName } from '../shared/validation.ts'

/** The parts of a pattern and what each stands for, in the order of the help. */
export const PATTERN_PARTS: readonly { readonly part: string; readonly about: string }[] = [
  { part: '{n}', about: t`a number from 1; {nn} with two digits` },
  { part: '{name}', about: t`the present name` },
  { part: '{host}', about: t`the host name` },
  { part: '{os}', about: t`the operating system` },
  { part: '{cpus}', about: t`the number of CPUs` },
  { part: '{version}', about: t`the client’s version` },
]

const values: Readonly<Record<string, (view: ClientView) => string>> = {
  name: ownName,
  host: view => text(infoOf(view)?.hostname) ?? '',
  os: view => osName(infoOf(view)) ?? '',
  cpus: view => String(finite(infoOf(view)?.cpus) ?? ''),
  version: view => text(infoOf(view)?.version) ?? '',
}

const PART = /\{([^{}]*)\}/g

/** Why a pattern cannot be used; undefined when it can. */
export function checkPattern(pattern: string): string | undefined {
  if (pattern.trim() === '') return t`Enter a name, with {n} for a number`
  const unknown = [...pattern.matchAll(PART)].find(
    ([, part = '']) => !/^n+$/.test(part) && !Object.hasOwn(values, part),
  )
  if (unknown !== undefined) return t`${unknown[0]} is not known`
  return checkClientName(pattern.replaceAll(PART, 'x').slice(0, 64))
}

/** The name of the client at a position, from 0. Characters that no name can have become a dash. */
export function nameFrom(pattern: string, view: ClientView, position: number): string {
  return pattern
    .trim()
    .replaceAll(PART, (_, part: string) =>
      /^n+$/.test(part) ? String(position + 1).padStart(part.length, '0') : cleaned(readerOf(part)?.(view) ?? ''),
    )
}

function readerOf(part: string) {
  return Object.hasOwn(values, part) ? values[part] : undefined
}

function cleaned(value: string): string {
  return value === '' ? '' : linkName(value)
}
