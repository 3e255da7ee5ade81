import type { LoadFault } from '../../folding/shared/load-fault.ts'
import type { PartName } from './app.parts.ts'

/** Loads the code of a part of the app, whose actors run from then on. */
export type CodeCommand = { readonly type: 'code.load'; readonly part: PartName }

export type CodeFact =
  | { readonly type: 'code.arrived'; readonly part: PartName }
  | { readonly type: 'code.failed'; readonly part: PartName; readonly fault: LoadFault }
