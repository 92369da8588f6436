import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Plugin } from 'esbuild';

const noPlugin = (name: string, ...unused: string[]) =>
  [`export const ${name} = () => ({ applyToStack() {} });`, ...unused.map(undefinedExport)].join(
    '',
  );

const undefinedExport = (name: string) => `export const ${name} = undefined;`;

/**
 * Replacement sources for SDK modules that a DynamoDB client in Lambda never needs, by path below
 * node_modules. Lambda provides credentials and region in the environment, and has neither
 * configuration files nor instance metadata.
 */
export const replacements: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb/dist-es/endpoint/endpointResolver.js': `
    const suffix = (region) => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');
    export const defaultEndpointResolver = ({ Endpoint, Region }) => ({
      url: new URL(Endpoint ?? 'https://dynamodb.' + Region + '.' + suffix(Region)),
    });`,
  '@aws-sdk/client-dynamodb/package.json': 'export default {};',
  '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js': noPlugin(
    'getLoggerPlugin',
    'loggerMiddleware',
    'loggerMiddlewareOptions',
  ),
  '@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/getRecursionDetectionPlugin.js':
    noPlugin('getRecursionDetectionPlugin'),
  '@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/user-agent-middleware.js':
    noPlugin('getUserAgentPlugin', 'userAgentMiddleware', 'getUserAgentMiddlewareOptions'),
  '@aws-sdk/core/dist-es/submodules/client/util-user-agent-node/defaultUserAgent.js':
    ['defaultUserAgent', 'crtAvailability'].map(undefinedExport).join('') +
    'export const createDefaultUserAgentProvider = () => undefined;',
  '@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js':
    'export const partitionsInfo = {};',
  '@aws-sdk/endpoint-cache/dist-es/index.js': 'export class EndpointCache {}',
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': undefinedExport('Sha256Js'),
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js':
    undefinedExport('getInstanceMetadataRegion'),
  '@smithy/core/dist-es/submodules/config/defaults-mode/resolveDefaultsModeConfig.js':
    "export const resolveDefaultsModeConfig = () => async () => 'legacy';",
  '@smithy/core/dist-es/submodules/config/node-config-provider/configLoader.js': `
    export const loadConfig = ({ environmentVariableSelector, default: value }, options) => async () =>
      environmentVariableSelector(process.env, options) ?? (typeof value === 'function' ? value() : value);`,
  '@smithy/core/dist-es/submodules/event-streams/index.js': 'export class EventStreamSerde {}',
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js':
    'export class AdaptiveRetryStrategy {}',
  // Its look at the global ReadableStream makes Node load web streams.
  '@smithy/core/dist-es/submodules/serde/util-stream/stream-type-check.js': `
    export const isReadableStream = () => false;
    export const isBlob = () => false;`,
  // Its look at the global crypto makes Node load Web Crypto.
  '@smithy/core/dist-es/submodules/serde/uuid/v4.js': `
    import { randomUUID } from 'node:crypto';
    export const bindV4 = () => () => randomUUID();`,
};

/** Replaces the modules above in the bundles. */
export const replaceModules: Plugin = {
  name: 'replace-modules',
  setup(build) {
    build.onLoad({ filter: /shared[\\/]contract[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: markPure(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
    build.onLoad({ filter: /node_modules[\\/]@(aws-sdk|smithy)[\\/].*\.js(on)?$/ }, ({ path }) => {
      const contents = replacements[pathInNodeModules(path)];
      return contents === undefined ? undefined : { contents, loader: 'js' };
    });
  },
};

/**
 * Lets esbuild drop the contract's constants that a function does not use. esbuild treats
 * spreads and functions of other files as side effects. Relies on the formatter: a
 * statement ends with a line that is not indented.
 */
export const markPure = (source: string) =>
  source.replace(
    /^((?:export )?const \w+(?:: [^=\n]+)? =)\s(?![(<]|.*=>)((?:.*|.*\n(?:(?: .*)?\n)*?\S.*));$/gm,
    '$1 /* @__PURE__ */ (() => ($2))();',
  );

const pathInNodeModules = (path: string) =>
  (path.split(`node_modules${sep}`).at(-1) ?? '').replaceAll(sep, '/');
