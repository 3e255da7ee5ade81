import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { SOURCES } from './scripts/vite/catalogs.ts'
import { LOCALES, SOURCE_LOCALE } from './src/folding/text/locales.ts'

export default defineConfig({
  sourceLocale: SOURCE_LOCALE,
  locales: LOCALES.map(({ code }) => code),
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: SOURCES,
      exclude: ['**/*.test.*', '**/translate/**'],
    },
  ],
  // Without origins a catalog changes only when its messages do.
  format: formatter({ origins: false }),
  orderBy: 'messageId',
})
