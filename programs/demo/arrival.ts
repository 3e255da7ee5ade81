import { holder } from './holder.ts'
import { tourOf } from './tours.ts'

/* Before the page reads its address. */

export const { tour = tourOf(location, sessionStorage), network: begun } = holder.foldboardDemo ?? {}
const address = new URL(location.href)

/** The address of which a host of files had none, and which it answered with 404.html. */
const asked = address.searchParams.get('at') ?? tour.path
if (asked !== '' || address.searchParams.has('tour'))
  history.replaceState(null, '', `${import.meta.env.BASE_URL}${asked}`)
