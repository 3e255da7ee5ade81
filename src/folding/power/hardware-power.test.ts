import { expect, test } from 'vitest'
import { guessCpu, guessGpu, guessProfile } from './hardware-power.ts'

test.each([
  ['AD102 [GeForce RTX 4090]', 450],
  ['GA104 [GeForce RTX 3060 Ti Lite Hash Rate]', 200],
  ['GA106 [GeForce RTX 3060]', 170],
  ['NVIDIA GeForce RTX 4070 Ti SUPER', 285],
  ['TU106 [GeForce RTX 2070]', 175],
  ['GP104 [P104-100]', undefined],
  ['NVIDIA RTX 4000 SFF Ada Generation', 70],
  ['GA107 [GeForce RTX 3050 6GB]', 70],
  ['GA100 [A100 SXM4 40GB]', 400],
  ['GV100GL [Tesla V100 PCIe 16GB]', 250],
  ['Tesla T4', 70],
  ['Navi 31 [Radeon RX 7900 XT/7900 XTX]', 315],
  ['GA104M [GeForce RTX 3070 Mobile / Max-Q]', undefined],
  ['NVIDIA GeForce RTX 4090 Laptop GPU', undefined],
  ['GK107 [GeForce GT 640]', undefined],
  ['', undefined],
])('a GPU described as "%s" is guessed to draw %s W', (description, watts) => {
  expect(guessGpu(description)?.watts).toBe(watts)
})

test.each([
  ['AMD Ryzen 9 5950X 16-Core Processor', 105],
  ['AMD Ryzen 5 5600G with Radeon Graphics', 65],
  ['Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz', 95],
  ['13th Gen Intel(R) Core(TM) i9-13900K', 125],
  ['AMD EPYC 7763 64-Core Processor', 280],
  ['Apple M1', undefined],
])('a CPU of the brand "%s" is guessed to draw %s W', (brand, watts) => {
  expect(guessCpu(brand)?.watts).toBe(watts)
})

test('all that is guessed of a machine says so', () => {
  const info = {
    cpu_brand: 'AMD Ryzen 9 5950X 16-Core Processor',
    has_battery: false,
    gpus: { 'gpu:01:00:00': { type: 'nvidia', description: 'AD102 [GeForce RTX 4090]' }, 'gpu:02:00:00': {} },
  }
  const guess = guessProfile(info)
  expect(guess).toEqual({
    idle: { watts: 50, origin: 'guess' },
    cpu: { watts: 105, origin: 'guess' },
    gpus: { 'gpu:01:00:00': { watts: 450, origin: 'guess' } },
  })
  expect(guessProfile(info)).toBe(guess)
  expect(guessProfile(undefined)).toEqual({ gpus: {} })
})
