import { describe, expect, it } from 'vitest'
import { awardUrl, donorStatsUrl, teamStanding } from './standings.ts'

const membership = { team: 7, trank: 12, tscore: 1000, twus: 50, score: 250, wus: 5 }

describe('a team', () => {
  it('stands where its donor’s statistics say, who gave a share of it [3.5]', () => {
    expect(teamStanding(7, { score: 900, rank: 13 }, { teams: [{ team: 8, score: 1 }, membership] })).toEqual({
      rank: 12,
      score: 1000,
      wus: 50,
      contribution: { score: 250, wus: 5, share: 0.25 },
    })
  })

  it('stands where its own statistics say for who folds anonymously, and nowhere when nothing is known', () => {
    expect(teamStanding(7, { score: 900, wus: 9, rank: 13 }, undefined)).toEqual({
      rank: 13,
      score: 900,
      wus: 9,
      contribution: undefined,
    })
    expect(teamStanding(7, undefined, undefined)).toEqual({
      rank: undefined,
      score: 0,
      wus: 0,
      contribution: undefined,
    })
    expect(teamStanding(7, { rank: 0 }, { teams: [{ ...membership, tscore: 0, score: 0 }] })).toMatchObject({
      contribution: { share: 0 },
    })
  })
})

describe('addresses', () => {
  it('name whom they are about, whatever the name [7.28]', () => {
    expect(awardUrl('https://a.test/awards', { user: 'a/b & <c>', team: 7, kind: 'wus' })).toBe(
      'https://a.test/awards?user=a%2Fb+%26+%3Cc%3E&team=7&type=wus',
    )
    expect(awardUrl('https://a.test/awards', { team: 7, kind: 'score' })).toBe(
      'https://a.test/awards?team=7&type=score',
    )
    expect(awardUrl('javascript:alert(1)', { team: 7, kind: 'score' })).toBeUndefined()
    expect(awardUrl('', { team: 7, kind: 'score' })).toBeUndefined()
    expect(donorStatsUrl('a/b?')).toBe('https://stats.foldingathome.org/donor/name/a%2Fb%3F')
  })
})
