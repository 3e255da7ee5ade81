import {
  isSameParams,
  searchOf,
  viewNamed,
  type SavedViews,
  type ViewParams,
} from '../../../folding/fleet/saved-views.ts'
import type { ViewsSnapshot } from './views.machine.ts'

export function selectViews({ context }: ViewsSnapshot): SavedViews {
  return context.saved
}

/** The name of the first view with these parameters; undefined for none. */
export function selectViewWith(params: ViewParams) {
  return ({ context }: ViewsSnapshot): string | undefined =>
    context.saved.views.find(view => isSameParams(view.params, params))?.name
}

/** The parameters with which the machines screen was last shown. The same object while they are. */
export function selectLastParams({ context }: ViewsSnapshot): ViewParams {
  return context.last ?? NO_PARAMS
}

const NO_PARAMS: ViewParams = Object.freeze({})

/** The address's part from the question mark on with which the machines screen was last shown; '' for none. */
export function selectLastSearch({ context }: ViewsSnapshot): string {
  return context.last === undefined ? '' : searchOf(context.last)
}

/** What the machines screen shows when it is first opened without parameters; undefined for everything. */
export function selectFirstView({ context }: ViewsSnapshot): ViewParams | undefined {
  const { chosen } = context.saved
  return context.last !== undefined || chosen === undefined ? undefined : viewNamed(context.saved, chosen)?.params
}
