import { clientAddress } from '../../../test/urls.ts'
import { describe, expect, it, test } from 'vitest'
import type { ConnectionFacts, ConnectionProblem } from './connection-advice.ts'
import {
  clockText,
  ignoredAdvice,
  ignoredReason,
  isClockWrong,
  connectionAdvice,
  connectionProblems,
} from './connection-advice.ts'

const here = clientAddress('127.0.0.1')
const near = clientAddress('192.168.0.7')

describe('a connection that fails', () => {
  test.each<[string, ConnectionFacts, readonly ConnectionProblem[]]>([
    ['nothing listens here', { address: here, pageProtocol: 'http:', probe: 'nothing' }, ['nothing-listens']],
    [
      'something answers, but not to us',
      { address: here, pageProtocol: 'http:', probe: 'answered' },
      ['origin-refused'],
    ],
    [
      'an https page and another computer',
      { address: near, pageProtocol: 'https:', permission: 'granted' },
      ['mixed-content', 'nothing-listens'],
    ],
    ['an https page and this computer', { address: here, pageProtocol: 'https:' }, ['nothing-listens']],
    ['Safari', { address: here, pageProtocol: 'https:', browser: 'safari' }, ['safari', 'nothing-listens']],
    ['Brave', { address: here, pageProtocol: 'http:', browser: 'brave' }, ['brave-shields', 'nothing-listens']],
    [
      'a permission not given',
      { address: here, pageProtocol: 'https:', permission: 'denied' },
      ['local-network-permission', 'nothing-listens'],
    ],
    [
      'another computer, permission unknown',
      { address: near, pageProtocol: 'http:' },
      ['local-network-permission', 'nothing-listens'],
    ],
  ])('%s', (_, facts, causes) => {
    expect(connectionProblems(facts)).toEqual(causes)
  })

  it('always comes with something to do', () => {
    const keys: ConnectionProblem[] = [
      'nothing-listens',
      'origin-refused',
      'mixed-content',
      'local-network-permission',
      'brave-shields',
      'safari',
      'insecure-page',
      'wrong-clock',
    ]
    for (const key of keys) {
      const { title, why, todo } = connectionAdvice(key, near)
      for (const words of [title, why, todo]) expect(words).toMatch(/^[A-Z].{10,}/)
    }
    expect(connectionAdvice('nothing-listens', clientAddress('::1')).why).toContain('[::1]:7396')
    expect(connectionAdvice('nothing-listens').why).toContain('at the address')
  })
})

describe('a command that is ignored', () => {
  it('has a likely reason', () => {
    expect(ignoredReason({ isConnected: false, clockOffset: 900 })).toBe('not-connected')
    expect(ignoredReason({ isConnected: true, clockOffset: -900, wasOvertaken: true })).toBe('wrong-clock')
    expect(ignoredReason({ isConnected: true, clockOffset: 1, wasOvertaken: true })).toBe('overtaken')
    expect(ignoredReason({ isConnected: true })).toBe('no-answer')
    for (const reason of ['wrong-clock', 'overtaken', 'not-connected', 'no-answer'] as const) {
      expect(ignoredAdvice(reason).todo).toMatch(/\.$/)
    }
  })

  it('tells how wrong a clock is', () => {
    expect([0, 30, -30, 31, -31].map(isClockWrong)).toEqual([false, false, false, true, true])
    expect(clockText(300)).toBe('This computer’s clock is 5m 0s ahead of the machine’s.')
    expect(clockText(-90)).toBe('This computer’s clock is 1m 30s behind the machine’s.')
  })
})
