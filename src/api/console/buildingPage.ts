import { createFixedBody, type FixedBody } from '../http/fixedBody.ts'
import { protection } from './protection.ts'

const headers = ['cache-control', 'no-store', ...protection]

/**
 * Page for browsers while the console is built; its script reloads it. A `refresh` header does not suffice: with
 * `#code=…` in the address, Chromium treats it as a jump within the page. Without scripts, `refresh` reloads it if the
 * address has no `#`.
 */
export const buildingPage: FixedBody = createFixedBody(
  Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mintmark</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<script src="/console/reload.js"></script>
<noscript><meta http-equiv="refresh" content="1"></noscript>
</head>
<body>
<p>The console is being built. This page reloads automatically.</p>
<noscript><p><a href="">Reload now</a></p></noscript>
</body>
</html>
`),
  'text/html; charset=utf-8',
  headers,
  { vary: 'Accept, Accept-Encoding' },
)

/** Script of that page; a reload keeps the fragment after `#`. */
export const reloadScript: FixedBody = createFixedBody(
  Buffer.from('setTimeout(() => location.reload(), 1000)\n'),
  'text/javascript; charset=utf-8',
  headers,
)
