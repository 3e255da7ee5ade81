import type { PowerChange, PowerSettings } from '../../../folding/power/power.ts'
import type { PowerReport } from '../../../folding/power/report.ts'

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type PowerFact = { readonly type: 'power.restored'; readonly power: PowerSettings }

export type PowerEvent =
  | Exclude<PowerChange, { readonly type: 'power.import' }>
  | PowerFact
  /** What the server of this page keeps. `isCopied`: whether this browser keeps it too, in place of its own. */
  | { readonly type: 'power.served'; readonly power: PowerSettings; readonly isCopied: boolean }
  /** What the server of this page measured, and the prices that it knows. */
  | { readonly type: 'power.reported'; readonly report: PowerReport }

/** Sent to the store. */
export type KeepPower = { readonly type: 'store.keep'; readonly value: PowerSettings }

export type PowerNotification =
  /** The user changed the settings. */
  | { readonly type: 'power.changed'; readonly change: PowerChange }
  /** It runs from now on, and has missed what the server of this page sent before. */
  | { readonly type: 'power.started' }
