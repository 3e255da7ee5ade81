import { expect, it } from 'vitest'
import { readOldConfig } from './old-config.ts'

it('takes the donor over from the config.xml of older clients, and names each line without its secrets', () => {
  const text = `<config>
  <!-- <user value="nobody"/>
       two lines -->
  <user v="Ada &amp; Bob"/>
  <team value='42'/>
  <passkey v="0123456789abcdef0123456789abcdef"/>
  <password v="secret"/>
  <power v="full"/>
  <slot id="0" type="CPU"><cpus v="4"/></slot>
  <slot id="1" type="GPU">
    <gpu-index v="0"/>
  </slot>
</config>`
  const config = readOldConfig(text)
  expect(config?.donor).toEqual({
    user: 'Ada & Bob',
    team: '42',
    secrets: { passkey: '0123456789abcdef0123456789abcdef' },
  })
  expect(config?.lines.map(({ line, text: shown, place }) => [line, shown, place])).toEqual([
    [4, 'user Ada & Bob', 'user'],
    [5, 'team 42', 'team'],
    [6, 'passkey', 'passkey'],
    [7, 'password', undefined],
    [8, 'power full', undefined],
    [9, 'slot 0 CPU', 'cpuGroup'],
    [9, 'cpus 4', undefined],
    [10, 'slot 1 GPU', 'gpuGroup'],
    [11, 'gpu-index 0', undefined],
  ])
  expect(readOldConfig('<html></html>')).toBeUndefined()
})
