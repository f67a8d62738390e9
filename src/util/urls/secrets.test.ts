import { expect, test } from 'vitest'
import { createMask, createSecrets } from './secrets.ts'
import { secretsOfText, secretsOfUrl } from './secretsOfUrl.ts'

const maskOf = (...urls: string[]) => createMask(urls.flatMap(secretsOfUrl))

test('default: only the host of a URL is shown', () => {
  const url = 'https://reader:p4ss-w0rd@node.example:8545/v3/0a1b2c3d4e5f6071?apikey=kEy-9876543&x=1#frAgm3nt77'
  const mask = maskOf(url)
  expect(mask(`POST ${url} failed`)).toBe('POST https://node.example:8545 failed')
  expect(mask(`POST ${url.replace('reader:p4ss-w0rd@', '')} failed`)).toBe('POST https://node.example:8545 failed')
  for (const part of ['p4ss-w0rd', '0a1b2c3d4e5f6071', 'kEy-9876543', 'frAgm3nt77'])
    expect(mask(`invalid key "${part}", or ${part.toUpperCase()}.`), part).toBe('invalid key "***", or ***.')
  expect(mask('no route for /v3/0a1b2c3d4e5f6071?apikey=kEy-9876543&x=1#frAgm3nt77')).toBe('no route for ***')
})

test('behavior: masks a key in percent-encoded, decoded, form, JSON and header notation', () => {
  const password = 'p"ä/ss+wö rd\\9'
  const mask = maskOf(`https://reader:${encodeURIComponent(password)}@node.example/`)
  const forms = [password, encodeURIComponent(password), encodeURI(password), JSON.stringify(password).slice(1, -1)]
  forms.push(new URLSearchParams({ p: password }).toString().slice(2))
  forms.push(Buffer.from(`reader:${password}`).toString('base64'))
  for (const form of forms) expect(mask(`<${form}>`), form).toBe('<***>')
})

test('behavior: short segments and plain words are not masked, except within the whole URL', () => {
  const mask = maskOf('https://node.example/v1/mainnet')
  expect(mask('GET /v1/transactions of mainnet')).toBe('GET /v1/transactions of mainnet')
  expect(mask('https://node.example/v1/mainnet/transactions')).toBe('https://node.example/transactions')
})

test('behavior: a key of eight digits is masked as a separate word, not within another number', () => {
  const mask = maskOf('https://node.example/12345678')
  expect(mask('key 12345678 is wrong at block 9123456780')).toBe('key *** is wrong at block 9123456780')
})

test('behavior: a short user and password before a host are removed', () => {
  expect(maskOf('https://u:pw@node.example/')('POST https://u:pw@node.example failed')).toBe(
    'POST https://node.example failed',
  )
  expect(maskOf('postgres://app@10.0.0.1/x')('connection to the remote node app@10.0.0.2:5432 failed')).toBe(
    'connection to the remote node 10.0.0.2:5432 failed',
  )
})

test("behavior: a database's password is masked, its name is shown", () => {
  const mask = maskOf('postgres://mintmark_app1:s3cr3t-w0rd@db.example/mintmark_prod?sslmode=require')
  expect(mask('GRANT CREATE ON SCHEMA public TO "mintmark_app1"')).toBe(
    'GRANT CREATE ON SCHEMA public TO "mintmark_app1"',
  )
  expect(mask('database "mintmark_prod" of mintmark_app1:s3cr3t-w0rd@db.example')).toBe(
    'database "mintmark_prod" of db.example',
  )
})

test('behavior: paths of database sockets and certificates are shown, so that their errors are useful', () => {
  const mask = maskOf(
    'postgres:///x?host=/var/run/postgresql&user=reader&password=s3cr3t-w0rd&sslrootcert=/etc/ssl/db.pem',
  )
  expect(mask('connect ENOENT /var/run/postgresql/.s.PGSQL.5432')).toBe(
    'connect ENOENT /var/run/postgresql/.s.PGSQL.5432',
  )
  expect(mask("open '/etc/ssl/db.pem' with s3cr3t-w0rd")).toBe("open '/etc/ssl/db.pem' with ***")
})

test('behavior: secrets of an invalid URL are masked too', () => {
  for (const url of [
    'postgres://u:s3cr3t-w0rd@host:999999/x',
    'https://u:s3cr3t-w0rd@[::/x',
    'https://h:x/s3cr3t-w0rd',
  ])
    expect(maskOf(url)('Invalid URL: "s3cr3t-w0rd"'), url).toBe('Invalid URL: "***"')
})

test('behavior: a secret added later is masked from then on', () => {
  const secrets = createSecrets()
  expect(secrets.mask('tok3n-of-aptos')).toBe('tok3n-of-aptos')
  secrets.add(secretsOfText('tok3n-of-aptos'))
  secrets.add(secretsOfText('an0ther-tok3n'))
  expect(secrets.mask('Bearer tok3n-of-aptos, an0ther-tok3n')).toBe('Bearer ***, ***')
})
