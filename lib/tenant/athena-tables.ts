import { Aws, Fn } from 'aws-cdk-lib';
import { CfnNamedQuery } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import type { Construct } from 'constructs';
import {
  eventMembers,
  eventsType,
  serdeProperties,
  viewColumns,
  viewSql,
  type EventMembers,
} from './athena/columns.ts';
import { queries } from './athena/queries.ts';
import { addParameters } from './parameters.ts';
import { TenantStack } from './tenant-stack.ts';

type Table = { id: string; name: string; database: CfnDatabase };

/** The template for a tenant that asks Athena about the events in its bucket. Nothing of the bucket is changed. */
export class AthenaTablesStack extends TenantStack {
  constructor(scope: Construct, id: string) {
    super(
      scope,
      id,
      'OMI event export: tables, views and queries of Amazon Athena for the events in a bucket.',
    );
    const { BucketName, FirstHour, DatabaseName, WorkGroup } = addParameters(this, parameters);
    const database = new CfnDatabase(this, 'Database', {
      catalogId: Aws.ACCOUNT_ID,
      databaseInput: { name: DatabaseName.valueAsString, description: 'Events that OMI exported.' },
    });
    for (const [category, members] of Object.entries(eventMembers)) {
      const title = `${category.slice(0, 1).toUpperCase()}${category.slice(1)}`;
      const objects = { id: `${title}Objects`, name: `${category}_objects`, database };
      this.#addObjects(objects, members, {
        location: Fn.join('', ['s3://', BucketName.valueAsString, '/']),
        category,
        firstHour: FirstHour.valueAsString,
      });
      this.#addView({ id: `${title}Events`, name: `${category}_events`, database }, objects.name, members);
    }
    for (const { name, description, sql } of queries)
      new CfnNamedQuery(this, name.replaceAll(/\W/g, ''), {
        name: `OMI: ${name}`,
        description,
        database: database.ref,
        queryString: sql,
        workGroup: WorkGroup.valueAsString,
      });
  }

  /**
   * The objects by the hour in their keys. Partition projection computes the partitions, so none is ever added by hand:
   * https://docs.aws.amazon.com/athena/latest/ug/partition-projection-supported-types.html
   */
  #addObjects(
    { id, name, database }: Table,
    members: EventMembers,
    { location, category, firstHour }: { location: string; category: string; firstHour: string },
  ): void {
    new CfnTable(this, id, {
      catalogId: Aws.ACCOUNT_ID,
      databaseName: database.ref,
      tableInput: {
        name,
        description: `Deliveries of ${category} events: a line of an object is a row.`,
        tableType: 'EXTERNAL_TABLE',
        partitionKeys: [{ name: 'datehour', type: 'string' }],
        parameters: {
          EXTERNAL: 'TRUE',
          classification: 'json',
          'projection.enabled': 'true',
          'projection.datehour.type': 'date',
          'projection.datehour.format': 'yyyy/MM/dd/HH',
          'projection.datehour.range': Fn.join('', [firstHour, ',NOW']),
          'projection.datehour.interval': '1',
          'projection.datehour.interval.unit': 'HOURS',
          'storage.location.template': Fn.join('', [location, `\${datehour}/${category}/`]),
        },
        storageDescriptor: {
          location,
          columns: [{ name: 'events', type: eventsType(members) }],
          inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
          outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
          serdeInfo: {
            serializationLibrary: 'org.openx.data.jsonserde.JsonSerDe',
            parameters: serdeProperties(members),
          },
        },
      },
    });
  }

  /** A view as Athena itself keeps it in the catalogue: its definition as base64 of JSON. */
  #addView({ id, name, database }: Table, table: string, members: EventMembers): void {
    const columns = viewColumns(members);
    const definition = JSON.stringify({
      originalSql: viewSql(table, members),
      catalog: 'awsdatacatalog',
      schema: 'DATABASE',
      columns: columns.map((column) => ({ name: column.name, type: column.trinoType })),
    });
    const [before = '', after = ''] = definition.split('DATABASE');
    const encoded = Fn.base64(Fn.join('', [before, database.ref, after]));
    new CfnTable(this, id, {
      catalogId: Aws.ACCOUNT_ID,
      databaseName: database.ref,
      tableInput: {
        name,
        description: 'An event is a row. An event may be there twice: count its ids.',
        tableType: 'VIRTUAL_VIEW',
        parameters: { presto_view: 'true', comment: 'Presto View' },
        partitionKeys: [],
        storageDescriptor: {
          columns: columns.map((column) => ({ name: column.name, type: column.hiveType })),
          serdeInfo: {},
        },
        viewOriginalText: Fn.join('', ['/* Presto View: ', encoded, ' */']),
        viewExpandedText: '/* Presto View */',
      },
    });
  }
}

const parameters = {
  'Your bucket': {
    BucketName: {
      label: 'Name',
      description: 'The bucket to which OMI delivers.',
      allowedPattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      constraintDescription: 'Expected 3 to 63 lower-case letters, digits, dots and hyphens.',
    },
    FirstHour: {
      label: 'First hour',
      description:
        'The hour of the first delivery, in UTC, such as 2026/03/01/08. Queries do not look before it.',
      default: '2026/01/01/00',
      allowedPattern: String.raw`^\d{4}/\d{2}/\d{2}/\d{2}$`,
      constraintDescription: 'Expected year/month/day/hour.',
    },
  },
  'Amazon Athena': {
    DatabaseName: {
      label: 'Database',
      description: 'It is created in the AWS Glue Data Catalog.',
      default: 'omi',
      allowedPattern: '^[a-z0-9_]{1,100}$',
      constraintDescription: 'Expected lower-case letters, digits and underscores.',
    },
    WorkGroup: {
      label: 'Workgroup',
      description: 'Where the saved queries are.',
      default: 'primary',
      allowedPattern: '^[a-zA-Z0-9._-]{1,128}$',
      constraintDescription: 'Expected letters, digits and . _ -',
    },
  },
};
