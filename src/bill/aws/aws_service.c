/* Services of AWS: the code in its reports, its category of FOCUS, and its name, which the
 * reports leave out of some lines. */
#include <string.h>

#include "bill/aws/aws.h"

static const struct aws_service services[] = {
    {"A4B", "Business Applications", "Alexa for Business"},
    {"AWSAmplify", "Developer Tools", "AWS Amplify"},
    {"AWSAppRunner", "Compute", "AWS App Runner"},
    {"AWSAppSync", "Developer Tools", "AWS AppSync"},
    {"AWSBackup", "Storage", "AWS Backup"},
    {"AWSBudgets", "Management and Governance", "AWS Budgets"},
    {"AWSCertificateManager", "Security", "AWS Certificate Manager"},
    {"AWSCleanRooms", "Analytics", "AWS Clean Rooms"},
    {"AWSCloudFormation", "Management and Governance", "AWS CloudFormation"},
    {"AWSCloudMap", "Networking", "AWS Cloud Map"},
    {"AWSCloudShell", "Developer Tools", "AWS CloudShell"},
    {"AWSCloudTrail", "Management and Governance", "AWS CloudTrail"},
    {"AWSCloudWAN", "Networking", "AWS Cloud WAN"},
    {"AWSCodeArtifact", "Developer Tools", "AWS CodeArtifact"},
    {"AWSCodeCommit", "Developer Tools", "AWS CodeCommit"},
    {"AWSCodeDeploy", "Developer Tools", "AWS CodeDeploy"},
    {"AWSCodePipeline", "Developer Tools", "AWS CodePipeline"},
    {"AWSConfig", "Management and Governance", "AWS Config"},
    {"AWSCostExplorer", "Management and Governance", "AWS Cost Explorer"},
    {"AWSDataExchange", "Analytics", "AWS Data Exchange"},
    {"AWSDataSync", "Migration", "AWS DataSync"},
    {"AWSDataTransfer", "Networking", "AWS Data Transfer"},
    {"AWSDatabaseMigrationSvc", "Migration", "AWS Database Migration Service"},
    {"AWSDeepRacer", "AI and Machine Learning", "AWS DeepRacer"},
    {"AWSDirectConnect", "Networking", "AWS Direct Connect"},
    {"AWSDirectoryService", "Identity", "AWS Directory Service"},
    {"AWSELB", "Networking", "Elastic Load Balancing"},
    {"AWSElasticDisasterRecovery", "Storage", "AWS Elastic Disaster Recovery"},
    {"AWSElementalMediaConvert", "Media", "AWS Elemental MediaConvert"},
    {"AWSElementalMediaLive", "Media", "AWS Elemental MediaLive"},
    {"AWSElementalMediaPackage", "Media", "AWS Elemental MediaPackage"},
    {"AWSElementalMediaStore", "Media", "AWS Elemental MediaStore"},
    {"AWSEvents", "Integration", "CloudWatch Events"},
    {"AWSFMS", "Security", "AWS Firewall Manager"},
    {"AWSGlobalAccelerator", "Networking", "AWS Global Accelerator"},
    {"AWSGlue", "Analytics", "AWS Glue"},
    {"AWSGreengrass", "Internet of Things", "AWS IoT Greengrass"},
    {"AWSGroundStation", "Other", "AWS Ground Station"},
    {"AWSIoT", "Internet of Things", "AWS IoT"},
    {"AWSIoTAnalytics", "Internet of Things", "AWS IoT Analytics"},
    {"AWSIoTEvents", "Internet of Things", "AWS IoT Events"},
    {"AWSIoTSiteWise", "Internet of Things", "AWS IoT SiteWise"},
    {"AWSLakeFormation", "Analytics", "AWS Lake Formation"},
    {"AWSLambda", "Compute", "AWS Lambda"},
    {"AWSM2", "Migration", "AWS Mainframe Modernization"},
    {"AWSMediaConnect", "Media", "AWS Elemental MediaConnect"},
    {"AWSMigrationHubRefactorSpaces", "Migration", "AWS Migration Hub Refactor Spaces"},
    {"AWSNetworkFirewall", "Networking", "AWS Network Firewall"},
    {"AWSOutposts", "Compute", "AWS Outposts"},
    {"AWSQueueService", "Integration", "Amazon Simple Queue Service"},
    {"AWSResilienceHub", "Management and Governance", "AWS Resilience Hub"},
    {"AWSRoboMaker", "Other", "AWS RoboMaker"},
    {"AWSSecretsManager", "Security", "AWS Secrets Manager"},
    {"AWSSecurityHub", "Security", "AWS Security Hub"},
    {"AWSServiceCatalog", "Management and Governance", "AWS Service Catalog"},
    {"AWSShield", "Security", "AWS Shield"},
    {"AWSStorageGateway", "Storage", "AWS Storage Gateway"},
    {"AWSSupportBusiness", "Management and Governance", "AWS Support (Business)"},
    {"AWSSupportDeveloper", "Management and Governance", "AWS Support (Developer)"},
    {"AWSSupportEnterprise", "Management and Governance", "AWS Support (Enterprise)"},
    {"AWSSystemsManager", "Management and Governance", "AWS Systems Manager"},
    {"AWSTransfer", "Migration", "AWS Transfer Family"},
    {"AWSXRay", "Developer Tools", "AWS X-Ray"},
    {"AmazonApiGateway", "Networking", "Amazon API Gateway"},
    {"AmazonAppStream", "Compute", "Amazon AppStream"},
    {"AmazonAthena", "Analytics", "Amazon Athena"},
    {"AmazonBedrock", "AI and Machine Learning", "Amazon Bedrock"},
    {"AmazonBedrockFoundationModels", "AI and Machine Learning",
     "Amazon Bedrock Foundation Models"},
    {"AmazonBraket", "Other", "Amazon Braket"},
    {"AmazonChime", "Business Applications", "Amazon Chime"},
    {"AmazonCloudFront", "Networking", "Amazon CloudFront"},
    {"AmazonCloudSearch", "Analytics", "Amazon CloudSearch"},
    {"AmazonCloudWatch", "Management and Governance", "AmazonCloudWatch"},
    {"AmazonCodeWhisperer", "AI and Machine Learning", "Amazon CodeWhisperer"},
    {"AmazonCognito", "Identity", "Amazon Cognito"},
    {"AmazonConnect", "Business Applications", "Amazon Connect"},
    {"AmazonDAX", "Databases", "Amazon DynamoDB Accelerator (DAX)"},
    {"AmazonDetective", "Security", "Amazon Detective"},
    {"AmazonDocDB", "Databases", "Amazon DocumentDB (with MongoDB compatibility)"},
    {"AmazonDynamoDB", "Databases", "Amazon DynamoDB"},
    {"AmazonEBS", "Storage", "Amazon Elastic Block Store"},
    {"AmazonEC2", "Compute", "Amazon Elastic Compute Cloud"},
    {"AmazonECR", "Compute", "Amazon EC2 Container Registry (ECR)"},
    {"AmazonECRPublic", "Compute", "Amazon Elastic Container Registry Public"},
    {"AmazonECS", "Compute", "Amazon Elastic Container Service"},
    {"AmazonEFS", "Storage", "Amazon Elastic File System"},
    {"AmazonEI", "AI and Machine Learning", "Amazon Elastic Inference"},
    {"AmazonEKS", "Compute", "Amazon Elastic Container Service for Kubernetes"},
    {"AmazonES", "Analytics", "Amazon OpenSearch Service"},
    {"AmazonETS", "Media", "Amazon Elastic Transcoder"},
    {"AmazonElastiCache", "Databases", "Amazon ElastiCache"},
    {"AmazonFSx", "Storage", "Amazon FSx"},
    {"AmazonForecast", "AI and Machine Learning", "Amazon Forecast"},
    {"AmazonFraudDetector", "AI and Machine Learning", "Amazon Fraud Detector"},
    {"AmazonGlacier", "Storage", "Amazon Glacier"},
    {"AmazonGrafana", "Management and Governance", "Amazon Managed Grafana"},
    {"AmazonGuardDuty", "Security", "Amazon GuardDuty"},
    {"AmazonHealthLake", "AI and Machine Learning", "Amazon HealthLake"},
    {"AmazonIVS", "Media", "Amazon Interactive Video Service"},
    {"AmazonInspector", "Security", "Amazon Inspector"},
    {"AmazonInspectorV2", "Security", "Amazon Inspector"},
    {"AmazonKendra", "AI and Machine Learning", "Amazon Kendra"},
    {"AmazonKinesis", "Analytics", "Amazon Kinesis"},
    {"AmazonKinesisAnalytics", "Analytics", "Amazon Kinesis Analytics"},
    {"AmazonKinesisFirehose", "Analytics", "Amazon Kinesis Firehose"},
    {"AmazonKinesisVideo", "Media", "Amazon Kinesis Video Streams"},
    {"AmazonLex", "AI and Machine Learning", "Amazon Lex"},
    {"AmazonLightsail", "Compute", "Amazon Lightsail"},
    {"AmazonMCS", "Databases", "Amazon Keyspaces (for Apache Cassandra)"},
    {"AmazonMQ", "Integration", "Amazon MQ"},
    {"AmazonMSK", "Analytics", "Amazon Managed Streaming for Apache Kafka"},
    {"AmazonMWAA", "Integration", "Amazon Managed Workflows for Apache Airflow"},
    {"AmazonMacie", "Security", "Amazon Macie"},
    {"AmazonMemoryDB", "Databases", "Amazon MemoryDB"},
    {"AmazonNeptune", "Databases", "Amazon Neptune"},
    {"AmazonOmics", "AI and Machine Learning", "AWS HealthOmics"},
    {"AmazonPersonalize", "AI and Machine Learning", "Amazon Personalize"},
    {"AmazonPinpoint", "Business Applications", "Amazon Pinpoint"},
    {"AmazonPolly", "AI and Machine Learning", "Amazon Polly"},
    {"AmazonPrometheus", "Management and Governance", "Amazon Managed Service for Prometheus"},
    {"AmazonQ", "AI and Machine Learning", "Amazon Q"},
    {"AmazonQLDB", "Databases", "Amazon Quantum Ledger Database"},
    {"AmazonQuickSight", "Analytics", "Amazon QuickSight"},
    {"AmazonRDS", "Databases", "Amazon Relational Database Service"},
    {"AmazonRedshift", "Databases", "Amazon Redshift"},
    {"AmazonRegistrar", "Networking", "Amazon Registrar"},
    {"AmazonRekognition", "AI and Machine Learning", "Amazon Rekognition"},
    {"AmazonRoute53", "Networking", "Amazon Route 53"},
    {"AmazonS3", "Storage", "Amazon Simple Storage Service"},
    {"AmazonS3GlacierDeepArchive", "Storage", "Amazon S3 Glacier Deep Archive"},
    {"AmazonSES", "Business Applications", "Amazon Simple Email Service"},
    {"AmazonSNS", "Integration", "Amazon Simple Notification Service"},
    {"AmazonSWF", "Integration", "Amazon Simple Workflow Service"},
    {"AmazonSageMaker", "AI and Machine Learning", "Amazon SageMaker"},
    {"AmazonSecurityLake", "Security", "Amazon Security Lake"},
    {"AmazonStates", "Integration", "AWS Step Functions"},
    {"AmazonTextract", "AI and Machine Learning", "Amazon Textract"},
    {"AmazonTimestream", "Databases", "Amazon Timestream"},
    {"AmazonVPC", "Networking", "Amazon Virtual Private Cloud"},
    {"AmazonWorkDocs", "Business Applications", "Amazon WorkDocs"},
    {"AmazonWorkMail", "Business Applications", "Amazon WorkMail"},
    {"AmazonWorkSpaces", "Compute", "Amazon WorkSpaces"},
    {"AppFlow", "Integration", "Amazon AppFlow"},
    {"CloudHSM", "Security", "AWS CloudHSM"},
    {"CodeBuild", "Developer Tools", "CodeBuild"},
    {"CodeGuru", "Developer Tools", "Amazon CodeGuru"},
    {"ComputeSavingsPlans", "Compute", "Savings Plans for AWS Compute usage"},
    {"DatabaseSavingsPlans", "Databases", "Savings Plans for AWS Database usage"},
    {"ElasticMapReduce", "Analytics", "Amazon Elastic MapReduce"},
    {"IoTDeviceManagement", "Internet of Things", "AWS IoT Device Management"},
    {"MachineLearningSavingsPlans", "AI and Machine Learning",
     "Savings Plans for AWS Machine Learning"},
    {"OCBPremiumSupport", "Management and Governance", "AWS Premium Support"},
    {"OpsWorks", "Management and Governance", "AWS OpsWorks"},
    {"auditmanager", "Security", "AWS Audit Manager"},
    {"awskms", "Security", "AWS Key Management Service"},
    {"awswaf", "Security", "AWS WAF"},
    {"comprehend", "AI and Machine Learning", "Amazon Comprehend"},
    {"datapipeline", "Analytics", "AWS Data Pipeline"},
    {"transcribe", "AI and Machine Learning", "Amazon Transcribe"},
    {"translate", "AI and Machine Learning", "Amazon Translate"},
};

static const struct aws_service unknown = {NULL, "Other", NULL};

struct aws_service aws_service_of(struct str code)
{
    size_t low = 0, high = ARRAY_LEN(services); /* in the order of their bytes */

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = str_cmp(code, str_from(services[middle].code));

        if (order == 0)
            return services[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return unknown;
}

struct aws_service aws_service_named(struct str name)
{
    /* Cost Explorer has names of its own for parts of EC2. */
    if (str_starts(name, STR("EC2 - Other")) ||
        str_starts(name, STR("Amazon Elastic Compute Cloud")))
        return aws_service_of(STR("AmazonEC2"));
    if (str_starts(name, STR("AWS Support")))
        return aws_service_of(STR("AWSSupportBusiness"));
    for (size_t i = 0; i < ARRAY_LEN(services); i++)
        if (str_eq_nocase(name, str_from(services[i].name)))
            return services[i];
    return unknown;
}

struct str aws_usage_instance(struct str usage)
{
    struct str head = str_cut(&usage, ':');

    if (head.len == 0 || usage.len == 0 || memchr(usage.at, '.', usage.len) == NULL)
        return (struct str){0};
    for (size_t i = 0; i < usage.len; i++)
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789.-", usage.at[i]) == NULL)
            return (struct str){0};
    return usage;
}
