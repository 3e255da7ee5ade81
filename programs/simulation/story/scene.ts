import type { Chance } from '../time/chance.ts'
import type { Books } from '../invariants/books.ts'
import type { OpenPage, World } from '../world.ts'
import type { Device } from '../browser/device.ts'

/** Somebody with a browser. */
export type Person = {
  readonly name: string
  readonly device: Device
  /** Open tabs; the one that is looked at first. */
  pages: readonly OpenPage[]
}

/** What a step finds when its time has come. */
export type Scene = {
  readonly world: World
  readonly books: Books
  /** Of this step alone. */
  readonly chance: Chance
}

export type PersonScene = Scene & { readonly person: Person }
