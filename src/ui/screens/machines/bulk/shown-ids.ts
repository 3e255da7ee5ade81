import { createContext } from 'react'

/** Ids of the shown machines in their order: the ranges of a selection follow it. */
export const ShownIds = createContext<readonly string[]>([])
