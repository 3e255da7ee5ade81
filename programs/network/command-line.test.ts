import { expect, test } from 'vitest'
import { readCommandLine, usage } from './command-line.ts'

test('without options everything has its default', () => {
  expect(readCommandLine([])).toEqual({ kind: 'run', network: true, options: { data: '.foldboard', relayPaceMs: 300 } })
})

test('each option is read', () => {
  const words =
    '--port 8000 --machines 12 --speed 2.5 --seed 7 --data /tmp/x --client [::1]:7397 --no-network --pace 300 --client-version 8.4.9 --key-bits 1024 --origin http://localhost:5173 --published'

  expect(readCommandLine(words.split(' '))).toEqual({
    kind: 'run',
    network: false,
    options: {
      port: 8_000,
      machines: 12,
      speed: 2.5,
      seed: 7,
      data: '/tmp/x',
      client: { host: '::1', port: 7_397 },
      relayPaceMs: 300,
      keyBits: 1_024,
      clientVersion: '8.4.9',
      allowedOrigins: ['http://localhost:5173'],
      isPublished: true,
    },
  })
})

test('each further --client is passed through as well, once', () => {
  const read = (words: string) => {
    const line = readCommandLine(words.split(' '))
    return line.kind === 'run' ? [line.options.client, line.options.otherClients] : line
  }
  const address = (host: string, port = 7_396) => ({ host, port })

  expect(read('--client nas --client 10.0.0.7:7397 --client=[::1]:7396')).toEqual([
    address('nas'),
    [address('10.0.0.7', 7_397), address('::1')],
  ])
  expect(read('--client nas')).toEqual([address('nas'), undefined])
  expect(read('--client nas:7396 --client NAS')).toEqual({
    kind: 'wrong',
    message: '--client NAS is given twice. Try --help.',
  })
  expect(read(Array.from({ length: 65 }, (_, at) => `--client nas-${at}`).join(' '))).toEqual({
    kind: 'wrong',
    message: '--client can be given 64 times at most. Try --help.',
  })
})

test.each([
  [['--ports', '80'], 'There is no option --ports. Try --help.'],
  [['--port', 'high'], "--port must be a whole number from 0 to 65535, not 'high'. Try --help."],
  [['--machines', '5001'], "--machines must be a whole number from 0 to 5000, not '5001'. Try --help."],
  [['--machines', '1.5'], "--machines must be a whole number from 0 to 5000, not '1.5'. Try --help."],
  [
    ['--client-version', '8.2'],
    "--client-version must be one of 8.3, 8.4.0, 8.4.9, 8.5.0, 8.5.7, not '8.2'. Try --help.",
  ],
  [['--speed', '0'], "--speed must be a number from 0.001 to 1000000, not '0'. Try --help."],
  [['--client', 'a b'], "--client must be HOST:PORT, not 'a b'. Try --help."],
  [['--client', 'localhost:99999'], "--client must be HOST:PORT, not 'localhost:99999'. Try --help."],
])('%j is rejected with a message', (words, message) => {
  expect(readCommandLine(words)).toEqual({ kind: 'wrong', message })
})

test('the package starts without the demo network unless it is asked for, a clone with it', () => {
  const withNetwork = (program: 'clone' | 'package', ...words: readonly string[]) => {
    const line = readCommandLine(words, program)
    return line.kind === 'run' && line.network
  }
  expect(withNetwork('clone')).toBe(true)
  expect(withNetwork('clone', '--no-network')).toBe(false)
  expect(withNetwork('clone', '--demo')).toBe(true)
  expect(withNetwork('package')).toBe(false)
  expect(withNetwork('package', '--demo')).toBe(true)
  expect(usage('package')).toMatch(/^Usage: foldboard \[options\].*--no-network[^\n]*\(default\)/s)
  expect(usage('clone')).toMatch(/^Usage: npm start.*--demo[^\n]*\(default\)/s)
})

test('the dashboard listens at an IP address only', () => {
  expect(readCommandLine(['--listen', '0.0.0.0'])).toMatchObject({ options: { listen: '0.0.0.0' } })
  expect(readCommandLine(['--listen', '::1'])).toMatchObject({ options: { listen: '::1' } })
  expect(readCommandLine(['--listen', 'example.org'])).toEqual({
    kind: 'wrong',
    message: "--listen must be an IP address, not 'example.org'. Try --help.",
  })
})
