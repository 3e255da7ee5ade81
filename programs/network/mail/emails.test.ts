import { expect, test } from 'vitest'
import { resetEmail } from './emails.ts'

test('the reset link contains the address, escaped', () => {
  expect(resetEmail({ email: 'a+b&c@foldboard.example', page: 'http://localhost:7400/reset', token: 'abc' }).link).toBe(
    'http://localhost:7400/reset/abc?email=a%2Bb%26c%40foldboard.example',
  )
})
