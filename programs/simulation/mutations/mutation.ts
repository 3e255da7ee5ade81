import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '../../..')

/** The world in which a mutation is looked for, where it differs from the usual one. */
export type MutationWorld = {
  readonly days?: number
  readonly machines?: number
  readonly servers?: number
  /** The day or moment at which it begins. */
  readonly start?: string
  /** Seconds between two changes of each running unit. */
  readonly changesEvery?: number
  readonly people?: string
  readonly hasFaults?: boolean
  readonly isCrowded?: boolean
}

/** Something that somebody might get wrong: one text of a file is replaced by another. */
export type Mutation = {
  /** What is wrong then. */
  readonly name: string
  /** Below the repository. */
  readonly file: string
  /** Occurs once in the file. */
  readonly replace: string
  readonly by: string
  readonly world?: MutationWorld
  /** What finds it: an invariant of a simulated world, or a test of `npm test` where no world did. `because`: why, as far as is known. */
  readonly found: { readonly invariant: string } | { readonly test: string; readonly because: string }
}

/** The file with its mutation. Throws when the text to be replaced is not there once. */
export function mutated({ name, file, replace, by }: Mutation): string {
  const source = readFileSync(join(root, file), 'utf8')
  const parts = source.split(replace)
  if (parts.length !== 2)
    throw new Error(`'${name}': what it replaces occurs ${parts.length - 1} times in ${file}, not once.`)
  return parts.join(by)
}

/** Builds with the mutation: no file of the repository changes. `used`: told when a program has the file. */
export function withMutation(mutation: Mutation, used: () => void): Plugin {
  const path = join(root, mutation.file)
  const code = mutated(mutation)
  return {
    name: 'mutation',
    enforce: 'pre',
    load: id => {
      if (id.split('?')[0] !== path) return undefined
      used()
      return code
    },
  }
}
