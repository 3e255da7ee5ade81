import type { Step } from '../story/plan.ts'
import type { ActionName } from './actions.ts'

/** What one person does at one moment. */
export type PersonStep = Omit<Step, 'kind' | 'who'> & { readonly does: ActionName }
