import type * as v from 'valibot'

/** What a text identifies. `secret`: it is never recorded. */
export type TextIdentity =
  | 'id'
  | 'publicKey'
  | 'user'
  | 'team'
  | 'machine'
  | 'group'
  | 'host'
  | 'email'
  | 'path'
  | 'uuid'
  | 'picture'
  | 'secret'

/** Numbers that public lists connect with people: of teams, of users, and of runs and clones of a project. */
export type NumberIdentity = 'team' | 'person' | 'run' | 'clone'

/** A schema of a text or number, with what its values identify. */
export type MarkedText = v.StringSchema<undefined> & { readonly identity: TextIdentity | 'nobody' }
export type MarkedNumber = v.NumberSchema<undefined> & { readonly identity: NumberIdentity | 'nobody' }

type Marks<Mark> = Map<string, Set<Mark>>

/** The marks of all texts and numbers by name. `object` of schema.ts adds to them, so that no schema is forgotten. */
export const textMarks: Marks<MarkedText['identity']> = new Map()
export const numberMarks: Marks<MarkedNumber['identity']> = new Map()

function isIdentity<Mark extends string>(mark: Mark): mark is Exclude<Mark, 'nobody'> {
  return mark !== 'nobody'
}

/** What all fields of a name identify; undefined when it is nothing, or not the same in all objects. */
function only<Mark extends string>(marks: ReadonlySet<Mark> = new Set()): Exclude<Mark, 'nobody'> | undefined {
  const [mark] = marks
  return marks.size === 1 && mark !== undefined && isIdentity(mark) ? mark : undefined
}

export function identityOfText(name: string): TextIdentity | undefined {
  return only(textMarks.get(name))
}
export function identityOfNumber(name: string): NumberIdentity | undefined {
  return only(numberMarks.get(name))
}
