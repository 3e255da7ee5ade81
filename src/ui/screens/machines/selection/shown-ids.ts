import { createContext } from 'react'

/** Ids of the shown clients in their order: the ranges of a selection follow it. */
export const ShownIds = createContext<readonly string[]>([])
