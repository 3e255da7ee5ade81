import type { OpenPage, World } from '../world.ts'
import type { Books } from './books.ts'

export type Checked = {
  readonly world: World
  readonly books: Books
  /** When the last fault ended; undefined while there is one. */
  readonly calmSince: number | undefined
}
/** What must hold whenever it is looked at. `check` returns what is wrong, in words. */
export type Invariant = {
  readonly name: string
  readonly reason: string
  readonly check: (checked: Checked) => string | undefined
}

/** The first thing that is wrong on any open page. */
export function onEachPage(wrongOn: (page: OpenPage, checked: Checked) => string | undefined): Invariant['check'] {
  return checked => {
    for (const page of checked.world.pages()) {
      const wrong = wrongOn(page, checked)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
}
