"""From Kafka to the stores. What there is so far looks at them before they are used:

folders           can a file be written here
lake              Iceberg tables below a folder or in object storage
warehouse         a SQL database, through SQLAlchemy
warehouse_trial   what our role may do there, tried and rolled back
warehouse_source  would a copy land in the database that it copies
search            OpenSearch and Elasticsearch
"""
