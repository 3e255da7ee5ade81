import type { ResourceNews } from '../../resource/resource/resource.events.ts'

/** The team that is folded for; 0 is none. */
export type TeamCommand = { readonly type: 'team.choose'; readonly team: number }

export type TeamEvent = TeamCommand | ResourceNews
